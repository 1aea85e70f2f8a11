//! The text form of complex numbers (`core/complex-1.0.0`).
