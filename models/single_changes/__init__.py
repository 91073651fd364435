"""Single changes of a design: knobs, fixes, and a move while it is dragged."""
