"""The parts of tools/refresh_catalog.py."""
