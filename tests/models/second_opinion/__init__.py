"""The second opinion."""
