"""Solutions and studies in notebooks."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from . import _core

MOST_POINTS = 4000  # of a picture: more cannot be seen


def table(columns: list[str], rows: list[list[Any]]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(_text(item))}</td>" for item in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def solution(sol: Any) -> str:
    """A heading, the account, the first impacts and a picture."""
    heading = sol.title or "Solution"
    state = f"{sol.scheme}, {sol.status}"
    if len(sol):
        state += f" to t = {sol.t[-1]:.6g}, {len(sol.impacts)} impacts"
    parts = [f"<h4>{html.escape(heading)}</h4><p>{html.escape(state)}</p>"]
    if sol.failure:
        parts.append(f"<p><b>{html.escape(sol.failure)}</b></p>")
    parts += [f"<p>{html.escape(note)}</p>" for note in sol.notes]
    ledger = sol.ledger
    terms = ["initial", "input", "damping", "impact", *(["friction"] if sol.slips else []), "numerical", "final"]
    parts.append(table(["energy", *terms], [["", *(getattr(ledger, term) for term in terms)]]))
    if len(sol.impacts):
        fields = [name for name in sol.impacts.dtype.names if name != "discontinuous"]
        rows = [[_impact_value(sol, impact, field) for field in fields] for impact in sol.impacts[:10]]
        parts.append(table(fields, rows))
        if len(sol.impacts) > 10:
            parts.append(f"<p>… and {len(sol.impacts) - 10} more</p>")
    if 1 < len(sol) <= 50 * MOST_POINTS:
        parts.append(sol._recording.svg())
    return "\n".join(parts)


def study(page: dict) -> str:
    """Tables and sentences of a study's page."""
    parts = [f"<h4>{html.escape(page['title'])}</h4>"]
    parts += [f"<p>{html.escape(text)}</p>" for text in page["text"]]
    for one in page["tables"]:
        parts.append(f"<h5>{html.escape(one['title'])}</h5>" + table(one["columns"], one["rows"]))
    parts += [f"<p>{html.escape(note)}</p>" for note in page["notes"]]
    return "\n".join(parts)


def _impact_value(sol: Any, impact: Any, field: str) -> Any:
    value = impact[field]
    if field == "constraint":
        return sol.constraints[value]
    if field == "status":
        return _core.slip_statuses[value]
    return float(value) if np.ndim(value) == 0 else ", ".join(_text(one) for one in value)


def _text(item: Any) -> str:
    return f"{item:.6g}" if isinstance(item, (float, np.floating)) else str(item)
