"""The environments of a repository with another release of the toolkit: both run, and are compared."""
