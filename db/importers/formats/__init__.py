"""One module a format; each has an `IMPORTER`, and the registry finds it."""
