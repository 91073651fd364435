"""Somebody's own servers, set against what the model says of them."""
