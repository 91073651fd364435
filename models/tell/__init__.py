"""What the program tells, as sections of blocks: one teller a topic, any surface renders them."""
