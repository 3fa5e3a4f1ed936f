"""CDK stacks: a translation of the plan, one module for each stack of the stack table."""
