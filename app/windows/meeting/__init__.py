"""The second window for people in a meeting: verdict and board, nothing else."""
