"""EC2 Capacity Blocks and SageMaker training plans: queries, offers, purchase commands."""
