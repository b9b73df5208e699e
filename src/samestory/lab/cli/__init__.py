"""The commands of the workbench: one module each, loaded by the command line when it runs one of them."""
