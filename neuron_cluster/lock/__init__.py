"""Lock files: what only an account can tell about an environment, pinned."""
