"""The parts of Benchmarks/packets."""
