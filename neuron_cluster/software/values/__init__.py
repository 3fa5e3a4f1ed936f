"""The values that we give to third-party charts: a closed model for each chart, in a file that bears its name."""
