"""What the toolkit decides about the values of a chart."""
