"""Formulas that run over columns and say how they come to the number of one item."""
