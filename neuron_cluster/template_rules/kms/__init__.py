"""KMS: key policies, key rotation."""
