"""The change summary of an edit, in the words of an environment: nodes, data, access, stacks."""
