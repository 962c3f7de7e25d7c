"""Where Hearth answers otherwise on purpose. A row explains a difference, or none is explained."""

from collections.abc import Callable
from dataclasses import dataclass

from .transport import Answer, Request


@dataclass(frozen=True)
class Row:
    name: str
    applies: Callable[[Request, Answer, Answer], bool]
    reason: str


ROWS: list[Row] = []
