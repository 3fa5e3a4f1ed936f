"""AWS Backup: jobs and recovery points; vaults, plans and selections are kept by their row of data."""
