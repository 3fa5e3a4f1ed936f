"""Custom resources of CDK's kubectl provider: its own code runs, what it asks for is recorded, not installed."""
