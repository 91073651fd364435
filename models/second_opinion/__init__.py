"""The scenario as a network of queues, solved, beside the responses of the closed forms."""
