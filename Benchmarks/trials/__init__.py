"""Parts that the trials share: rows with bounds, networks of their own, and checks for leaks."""
