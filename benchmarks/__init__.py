"""Benchmarks of pearljoin beside other libraries. Never imported by the library."""
