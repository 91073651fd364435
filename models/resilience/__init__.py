"""What a design withstands: failure modes, storms, and ways to be available."""
