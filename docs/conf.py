"""Settings of the documentation site: `make docs` builds it with Sphinx from the Markdown files of this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

import samestory

project = "samestory"
author = "the samestory developers"
version = release = samestory.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "command_reference", "links_to_sources"]
exclude_patterns = ["_build"]

# titles in links to sections of other pages, as on code hosts
myst_heading_anchors = 4
myst_enable_extensions = ["fieldlist"]
# sessions of a shell, and lines of JSON that are shortened, are no programs: they are shown as they are
suppress_warnings = ["misc.highlighting_failure"]

# docstrings have code in single backticks
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_class_signature = "separated"
python_maximum_signature_line_length = 100
add_module_names = False
# quotes in the help of commands are part of what is typed
smartquotes = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"samestory {version}"
# every file is local: pages can be read without a network
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
