"""What is refused, by reason."""
