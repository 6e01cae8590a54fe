"""Read a picture back: boxes, links, tooltips."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: Rectangle) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def holds(self, x: float, y: float) -> bool:
        return self.x < x < self.x + self.width and self.y < y < self.y + self.height


@dataclass
class Drawing:
    root: ET.Element
    width: float = 0
    height: float = 0
    boxes: list[Rectangle] = field(default_factory=list)
    lines: list[list[tuple[float, float]]] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)


def read_drawing(text: str) -> Drawing:
    root = ET.fromstring(text)
    drawing = Drawing(root, float(root.attrib["width"]), float(root.attrib["height"]))
    for element in root.iter():
        classes = element.attrib.get("class", "").split()
        if "box" in classes:
            drawing.boxes.append(Rectangle(*(float(element.attrib[name]) for name in ("x", "y", "width", "height"))))
        elif element.tag == f"{SVG}path" and "edge" in classes and len(element):
            drawing.lines.append(list(_trace(element.attrib["d"])))
        elif element.tag == f"{SVG}title":
            drawing.titles.append(element.text or "")
        elif element.tag == f"{SVG}text":
            drawing.texts.append("".join(element.itertext()))
        elif element.tag == f"{SVG}a":
            drawing.addresses.append(element.attrib["href"])
    return drawing


def _trace(path: str) -> Iterator[tuple[float, float]]:
    """Points along a path of M, L and C."""
    x, y = 0.0, 0.0
    for command, numbers in re.findall(r"([MLC]) ([-\d. ]+)", path):
        values = [float(number) for number in numbers.split()]
        for step in range(1, 21):
            t = step / 20
            if command == "C":
                yield _bend(x, *values[0::2], t=t), _bend(y, *values[1::2], t=t)
            elif command == "L":
                yield x + (values[0] - x) * t, y + (values[1] - y) * t
        x, y = values[-2:]
    yield x, y


def _bend(a: float, b: float, c: float, d: float, *, t: float) -> float:
    return a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3
