"""Change guards of EKS: one file, one subject."""
