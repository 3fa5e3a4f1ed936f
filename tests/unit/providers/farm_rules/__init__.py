"""Rules of the provider of these tests."""
