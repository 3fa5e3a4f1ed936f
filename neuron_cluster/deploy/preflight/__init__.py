"""Preflight checks of the account before a deploy creates anything: one module for each."""
