"""Laws of IAM policies and roles."""
