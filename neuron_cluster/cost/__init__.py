"""The cost of an environment, line by line: quantities of the plan times prices of the catalog."""
