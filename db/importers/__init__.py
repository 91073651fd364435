"""Files of other kinds, read into values of the model: one module a format."""
