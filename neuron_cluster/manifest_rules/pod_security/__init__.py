"""Pod Security Standards."""
