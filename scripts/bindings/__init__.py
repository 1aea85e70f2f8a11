"""Generators of the low-level parts of the language bindings."""
