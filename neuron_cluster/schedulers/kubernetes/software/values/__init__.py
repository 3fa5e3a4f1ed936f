"""The values of third-party charts: a closed model for each chart, in a file with its name."""
