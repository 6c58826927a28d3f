"""Measuring: readers of benchmarks, methods, metrics and the report behind `backscroll eval`."""
