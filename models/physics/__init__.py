"""Loads, shared resources and waiting: the formulas, over arrays."""
