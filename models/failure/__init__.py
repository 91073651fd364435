"""What happens when hosts are gone."""
