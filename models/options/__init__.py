"""What to buy for a requirement: every combination worth looking at, judged by `evaluate`."""
