"""One module a format; each has an `IMPORTER`, and the registry finds it."""

import pkgutil


def names() -> list[str]:
    """What the modules are called, without importing them."""
    return sorted(each.name for each in pkgutil.iter_modules(__path__))
