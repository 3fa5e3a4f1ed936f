"""Runs the code of Lambda functions, each invocation in a process of its own."""
