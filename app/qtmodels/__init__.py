"""Item models over the catalog and over predictions."""
