"""Windows: they put widgets together and own files, menus and settings."""
