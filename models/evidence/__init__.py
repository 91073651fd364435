"""What was published and what follows from it: figures, laws, constants, error of the laws."""
