"""Job scripts of ``scripts/jobs`` with options for an environment."""
