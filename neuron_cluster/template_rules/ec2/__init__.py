"""EC2: launch templates, subnets, security groups."""
