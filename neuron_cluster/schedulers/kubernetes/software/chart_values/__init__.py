"""Values of charts that the toolkit decides."""
