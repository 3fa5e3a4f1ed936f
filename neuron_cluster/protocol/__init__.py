"""The protocol that each provider of compute groups implements: its section of the file, groups, rules and stacks."""
