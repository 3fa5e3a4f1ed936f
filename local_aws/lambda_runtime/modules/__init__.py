"""Modules that Lambda has beside inline code of a template."""
