"""Drift: resources of the deployed stacks as their services return them, compared with the deployed templates."""
