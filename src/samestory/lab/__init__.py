"""The workbench: build test collections, judge articles, measure detectors, and repeat published experiments.

The library, everything outside this package, does not import it; the command line loads its commands by name.
"""
