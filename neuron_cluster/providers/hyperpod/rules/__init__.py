"""Rules about `hyperpod`."""
