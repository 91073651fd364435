"""The page that people meet first: examples, totals, files."""
