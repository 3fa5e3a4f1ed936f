"""Builds the plan: joins configuration, catalog, lock and software into the Structs of ``plan``."""
