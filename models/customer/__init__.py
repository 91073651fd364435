"""The servers of this customer: what was measured of them, and what to ask next."""
