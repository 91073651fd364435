"""A scenario: what stands where, and what can be said and done with it."""
