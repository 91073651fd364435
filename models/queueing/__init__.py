"""Queueing networks: exact and approximate solutions.

`solve.solve` takes a `Network` value and chooses the method. The functions on arrays solve many
scenarios at once, with the batch axis last: `solve_single_class` (exact) and
`solve_approximate` (any number of classes). docs/queueing.md holds equations and errors.
"""
