"""Rules of FSx for Lustre."""
