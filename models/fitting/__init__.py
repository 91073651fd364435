"""How laws are fitted to evidence and held to account where they did not look."""
