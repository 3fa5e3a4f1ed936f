"""What an environment costs, line by line: quantities of the plan times prices of the catalog."""
