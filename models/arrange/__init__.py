"""Where the VMs of a scenario had better stand, and the moves that lead there."""
