"""The forms of a scan and of an investigation."""
