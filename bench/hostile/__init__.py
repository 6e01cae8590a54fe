"""Files and trees made to exhaust whoever reads them, from a seed: the same bytes every time."""
