"""Laws of FSx for Lustre."""
