"""The hardware and platform catalog, and what needs it beside a scenario."""
