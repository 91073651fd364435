"""Loads that change with time: queues that build up and drain."""
