"""What the trials share: rows with their bounds, a machine of their own, what they look for afterwards."""
