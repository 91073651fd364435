"""The model core: values, formulas and verdicts. Standard library and NumPy only."""
