"""Claims of other studies that the five quote, and a question that they leave open."""
