"""EC2 capacity blocks: queries, offers, purchase commands."""
