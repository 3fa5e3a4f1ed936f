"""What is wrong, where, and what to do: findings, their ids, and how a finding is found and cited."""
