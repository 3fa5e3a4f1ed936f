"""What runs compute groups: each orchestrator with its section of the file, its groups, its rules and its stacks."""
