"""Ways of working from published documents: what an architect asks, and what follows.

A topic is one module with a `Topic` in it (`models.advise.advice`); `models.advise.topics` lists
them. Its inputs are a frozen dataclass whose fields are described as those of a scenario are
(`base.fields`), so that the schema, the refusals, the form and the labels come from one place.
"""
