"""The evidence drawer: why a number is what it is."""
