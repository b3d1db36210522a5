"""What mkdocs does with the pages of docs/ besides: buttons that open a scenario in the playground.

A page of the gallery gets one for every scenario that its commands name, below its title.
"""
import pathlib
import re

GALLERY = pathlib.Path(__file__).resolve().parents[1] / "gallery"
SCENARIO = re.compile(r"gallery:([a-z0-9-]+)")


def scenarios_of(markdown):
    """The names in the order they come, each once, of those that there are."""
    names = dict.fromkeys(SCENARIO.findall(markdown))
    return [name for name in names if (GALLERY / f"{name}.toml").exists()]


def with_buttons(markdown, up):
    names = scenarios_of(markdown)
    title = re.search(r"^# .*$", markdown, re.M)
    if not names or not title:
        return markdown
    buttons = " ".join(f'<a class="try" href="{up}play.html#g={name}">try {name}</a>' for name in names)
    return f"{markdown[:title.end()]}\n\n<p>{buttons}</p>\n{markdown[title.end():]}"


def on_page_markdown(markdown, page, **_):
    path = page.file.src_path
    if not path.startswith("gallery/") or path == "gallery/README.md":
        return markdown
    return with_buttons(markdown, "../")
