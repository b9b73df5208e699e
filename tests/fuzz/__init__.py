"""Pages changed at random, to find what makes the parser crash, hang or swell: ``make fuzz``."""
