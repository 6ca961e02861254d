"""Surprising behaviour, as tests that pass: what is meant, and why, though one might expect otherwise."""
