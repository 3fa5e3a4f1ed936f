"""ECR: pull-through cache rules."""
