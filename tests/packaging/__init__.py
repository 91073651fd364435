"""Tests of how the program is set up and packed."""
