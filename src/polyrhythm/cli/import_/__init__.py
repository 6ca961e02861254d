"""Make a bundle of somebody else's model."""
