"""What everything stands on: texts, fields, quantities, errors, rounding."""
