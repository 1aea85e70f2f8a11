"""Findings: warnings, diagnostics, notes, differences and losses, as a list of plain objects."""

import json
from dataclasses import dataclass
from typing import Any

from ._library import Handle, buffer_bytes, lib, pointer, text
from .constants import Field


@dataclass(frozen=True)
class Finding:
    """One finding about a file, a table or a description.

    `severity` is "note", "warning" or "error". `kind` is "warning", "diagnostic", "note", "difference", "loss" or
    "error". `entry` is the whole finding as one line. A field that a finding does not have is None. `line` and `column`
    count from 1; `offset` and `bytes` are in bytes.
    """

    entry: str
    message: str
    severity: str
    kind: str
    code: str | None = None
    path: str | None = None
    file: str | None = None
    subject: str | None = None
    operation: str | None = None
    line: int | None = None
    column: int | None = None
    offset: int | None = None
    block: int | None = None
    bytes: int | None = None
    rows: int | None = None
    os_number: int | None = None
    old: Any = None
    new: Any = None

    def __str__(self) -> str:
        return self.entry


class Report(Handle):
    __slots__ = ()
    _free = lib.asdf_report_free


def findings(function: Any, *arguments: Any) -> list[Finding]:
    """Findings of the report that a function returns through its last argument."""
    return findings_of(pointer(function, *arguments))


def findings_of(address: int) -> list[Finding]:
    """Findings of a report, which is freed."""
    report = Report(address)
    entries = json.loads(buffer_bytes(lib.asdf_report_json, report._pointer))
    known = Finding.__dataclass_fields__
    result = []
    for index, entry in enumerate(entries):
        entry.setdefault("entry", text(lib.asdf_report_text, report._pointer, index, Field.ENTRY))
        result.append(Finding(**{name: value for name, value in entry.items() if name in known}))
    return result
