"""IAM: policies and roles."""
