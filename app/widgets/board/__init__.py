"""The board: layout, faces, painting and gestures, each by itself."""
