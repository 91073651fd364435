"""One page a chart: the line that reads it, its controls, and when it is worked out."""
