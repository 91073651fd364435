"""How sure a design is: chances, inputs that move it, and where its verdict turns."""
