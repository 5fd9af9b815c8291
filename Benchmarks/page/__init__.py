"""The parts of Benchmarks/report."""
