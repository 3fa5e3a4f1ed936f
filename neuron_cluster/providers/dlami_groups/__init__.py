"""Providers whose section is a list of groups that start from a DLAMI."""
