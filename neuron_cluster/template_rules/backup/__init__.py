"""AWS Backup: vaults and plans."""
