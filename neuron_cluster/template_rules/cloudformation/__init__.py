"""Rules of CloudFormation itself: its limits, its tags, and what becomes of data."""
