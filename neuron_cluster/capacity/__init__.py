"""EC2 Capacity Blocks: queries, offers, purchase commands."""
