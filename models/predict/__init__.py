"""The prediction as values, and its first stages: what VMs ask for, what hosts carry."""
