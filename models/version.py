"""Which model it is: told without importing it."""

MODEL_VERSION = "1.24"
"""Changes whenever the same scenario gets another number."""
