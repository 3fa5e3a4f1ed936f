"""The section ``hyperpod`` of the environment file."""
