"""Input fields that speak people's language: locale's marks, units beside, refusals in words.

A field shows a value (`show_value`) and asks for another one (`committed`); it never decides.
`said` carries what to write beside it: a refusal, or how an ambiguous number was read.
"""
