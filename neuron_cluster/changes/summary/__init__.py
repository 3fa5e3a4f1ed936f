"""What an edit does, in the words of an environment: nodes, data, access, stacks."""
