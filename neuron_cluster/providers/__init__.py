"""Providers of compute groups: the section of the file, the groups, the rules and the stacks of each."""
