"""What a design costs: a price book of the user's own, and quantities that are counted by rule."""
