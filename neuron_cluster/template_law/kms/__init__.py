"""Laws of KMS keys."""
