"""Which drivers, runtimes, SDK releases, frameworks and images run together, and the nearest set that does."""
