"""Lock files: values that only an account can return for an environment, pinned."""
