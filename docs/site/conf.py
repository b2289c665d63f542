"""How Sphinx makes a site of docs/; utils/site calls it."""
import os
import re

project = "jopt"
copyright = "the jopt project, Apache License v2.0 with LLVM Exceptions"
extensions = ["myst_parser"]
exclude_patterns = ["site"]
html_static_path = ["static"]
html_js_files = ["search.js"]
html_css_files = ["site.css"]
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


def make_accessible(app, page, template, context, doctree):
    """Blocks that may scroll get the keyboard's focus; captions of the contents are
    headings, which have a level."""
    if "body" in context:
        context["body"] = context["body"].replace("<pre>", '<pre tabindex="0">')
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def repair_theme(app, error):
    """Debian's furo has a module, which no browser loads from the disk, and imports a
    file from the root of a server."""
    if error:
        return

    def change(name, make):
        path = os.path.join(app.outdir, "_static", name)
        with open(path, encoding="utf-8") as f:
            old = f.read()
        with open(path, "w", encoding="utf-8") as f:
            f.write(make(old))
    with open(os.path.join(app.outdir, "_static/scripts/gumshoe-patched.js"), encoding="utf-8") as f:
        gumshoe = f.read()
    change("scripts/furo.js", lambda text: re.sub(
        r'^import Gumshoe from "./gumshoe-patched.js";$', lambda m: gumshoe, text, flags=re.M))

    def inlined(match):
        path = "/usr/share" + match.group(1)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as f:
            return f.read()
    change("styles/furo.css", lambda text: re.sub(r'@import *(?:url\()?"?(/javascript/[^")]*)"?\)?;', inlined, text))


def setup(app):
    app.connect("source-read", add_contents)
    # After the theme.
    app.connect("html-page-context", make_accessible, priority=900)
    app.connect("build-finished", repair_theme)
