"""Data that ships with the program, and its loader."""
