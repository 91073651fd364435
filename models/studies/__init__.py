"""Studies of many variants: an input over a range, a curve, a table of answers."""
