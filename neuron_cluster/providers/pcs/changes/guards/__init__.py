"""What a deploy does not do to a PCS cluster."""
