"""Settings of Sphinx for the manual; scripts/build-manual.py runs it."""

project = "asdfkit"
author = "the asdfkit developers"
copyright = "the asdfkit developers"
version = release = "0.1.0"

extensions = ["myst_parser", "sphinx_copybutton", "sphinx_design"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
exclude_patterns = ["files"]
# Blocks of NDL, of output and of shell sessions are not always valid in the language of their colours.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = "asdfkit"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "native"
