"""What another release of the toolkit makes of the environments of a repository: both run, and are compared."""
