"""How Sphinx makes a site of docs/; utils/site calls it."""
import re

project = "jopt"
copyright = "the jopt project, Apache License v2.0 with LLVM Exceptions"
extensions = ["myst_parser"]
exclude_patterns = ["site"]
html_static_path = ["static"]
html_js_files = ["search.js"]
# Pages are read on other sites as well, so anchors are theirs.
myst_heading_anchors = 4
# `jir` and sessions have no lexer.
suppress_warnings = ["misc.highlighting_failure"]
highlight_language = "none"
html_theme = "furo"
html_title = "jopt"
html_copy_source = False
html_show_sphinx = False


def add_contents(app, page, source):
    """The pages that index.md names, by its headings, beside each page."""
    if page != "index":
        return
    for part in re.split(r"^## ", source[0], flags=re.M)[1:]:
        pages = "\n".join(re.findall(r"\]\((\w+)\.md\)", part))
        source[0] += ("\n```{toctree}\n:hidden:\n:caption: "
                      f"{part.splitlines()[0]}\n\n{pages}\n```\n")


def setup(app):
    app.connect("source-read", add_contents)
