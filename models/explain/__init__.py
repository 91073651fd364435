"""Why a number is what it is: the formula with its values, down to inputs and evidence."""
