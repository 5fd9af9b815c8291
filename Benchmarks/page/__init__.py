"""What Benchmarks/report is made of."""
