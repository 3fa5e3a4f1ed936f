"""The rows of the change table, by section of the environment file."""
