"""A project: scenarios, the baseline, the user's own catalog entries."""
