"""Rules of KMS keys."""
