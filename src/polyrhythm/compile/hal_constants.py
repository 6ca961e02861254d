"""The bytes of constants, from MLIR attributes."""

from __future__ import annotations

from typing import Any


def constant_bytes(ir: Any, attribute: Any) -> bytes | None:
    """What a constant holds; None for a kind of constant that is not known."""
    if isinstance(attribute, ir.StringAttr):
        return bytes(attribute.value_bytes)
    if isinstance(attribute, ir.DenseElementsAttr):
        return _dense(ir, attribute)
    text = str(attribute)
    if not text.startswith("#util.composite<"):
        return None
    # The bindings don't know composites; their parts are attributes that they parse.
    inside = text[text.index("[") + 1 : text.rindex("]")]
    parts = [constant_bytes(ir, ir.Attribute.parse(part, attribute.context)) for part in _split(inside)]
    return None if any(part is None for part in parts) else b"".join(part or b"" for part in parts)


def _dense(ir: Any, attribute: Any) -> bytes | None:
    kind = attribute.type
    count = 1
    for extent in kind.shape:
        count *= extent
    element = kind.element_type
    if isinstance(element, ir.IntegerType) and element.width == 1:
        return bytes(int(bool(item)) for item in ir.DenseIntElementsAttr(attribute))
    content = bytes(memoryview(attribute))
    if attribute.is_splat and count:
        width = (element.width + 7) // 8
        return content[:width] * count
    return content


def _split(text: str) -> list[str]:
    """Parts between commas outside of brackets and quotes."""
    depth, quoted, start, found = 0, False, 0, []
    for position, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character in "<([{") - (character in ">)]}")
            if character == "," and depth == 0:
                found.append(text[start:position].strip())
                start = position + 1
    found.append(text[start:].strip())
    return [part for part in found if part]  # a comma may end the list
