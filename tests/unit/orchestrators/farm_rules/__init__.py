"""Rules of the orchestrator of these tests."""
