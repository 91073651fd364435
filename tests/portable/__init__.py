"""What is the same on every machine, byte for byte: `make test-portable`."""
