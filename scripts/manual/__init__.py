"""Parts of the builder of the manual, scripts/build-manual.py."""
