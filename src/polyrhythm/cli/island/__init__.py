"""Look at a bundle's island, stop it, export it, or keep a runtime running on it."""
