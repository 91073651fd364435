"""From what a customer hands over to a scenario: plain records, and the one mapper of them."""
