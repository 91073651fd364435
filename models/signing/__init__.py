"""What was stated or signed, and what it is now."""
