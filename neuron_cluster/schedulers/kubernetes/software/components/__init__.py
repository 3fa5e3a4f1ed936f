"""The registry of components, and a module for each that needs more than its row."""
