"""The Pod Security Standards, as they are published."""
