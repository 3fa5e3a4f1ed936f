"""Names and labels: their form, and duplicates."""
