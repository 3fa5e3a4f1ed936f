"""What an edit does to Auto Scaling groups."""
