"""FSx for Lustre: file systems, data repository associations."""
