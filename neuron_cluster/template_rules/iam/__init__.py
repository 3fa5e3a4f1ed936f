"""Rules of IAM policies and roles."""
