"""Modules that Lambda has next to inline code of a template."""
