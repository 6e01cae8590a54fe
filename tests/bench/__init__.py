"""Programs in bench/ whose judgement matters."""
