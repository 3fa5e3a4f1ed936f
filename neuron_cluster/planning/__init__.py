"""Builds the plan: joins configuration, catalog, lock and software into the dataclasses of ``plan``."""
