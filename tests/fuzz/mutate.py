"""Damage: from a good file to one that is nearly good, nonsense in between, or hostile on purpose."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

#: Values that break readers which trust too much.
NASTY = [
    b"", b"null", b"true", b"-1", b"0", b"1e400", b"-1e400", b".nan", b".inf", b"1/0", b"1/3", b"0x10",
    b"9" * 400, b"9" * 5000, b"1" + b"0" * 20, b"2147483648", b"18446744073709551616",
    b"-9223372036854775809", b"1e-400", b"''", b'""', b"[]", b"{}", b"[[]]", b"~",
    b"!!python/object:os.system", b"!!binary aGk=", b"&a", b"*a", b"<<: *a", b"? x", b"---", b"...",
    b"%YAML 1.1", b"\xff\xfe", b"\xef\xbb\xbf", b"\x00", b"\x85", b"\xe2\x80\xa8", b"\xc0\xaf",
    b"\xed\xa0\x80", b"\xf0\x9f\xa4\x96", b"../../etc/passwd", b"/etc/passwd", b"a\\u0000b", b"__class__",
    b"robot", b"runtime.noise", b"vlm.hidden", b"NaN", b"Infinity", b"-Infinity", b"1_000", b"0o7", b"1:30",
    b"yes", b"2026-01-01",
]  # fmt: skip
_TOKEN = re.compile(rb"[A-Za-z_][A-Za-z0-9_.]*|-?\d[\d.e+/-]*|[\[\]{},:]|\"[^\"\n]*\"")


def _bomb(rng: random.Random) -> bytes:
    """Aliases of aliases, deep nesting, one enormous line, a thousand keys."""
    kind, size = rng.randrange(5), rng.choice([10, 100, 1000, 20_000])
    if kind == 0:
        lines = [b"a0: &a0 [x, x]"] + [
            b"a%d: &a%d [%s]" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 9)) for i in range(1, min(size, 40))
        ]
        return b"\n".join(lines)
    if kind == 1:
        return rng.choice([b"[", b"{", b"- ", b"{a: ", b'{"a":', b"? "]) * size
    if kind == 2:
        return b"x" * size * 10
    if kind == 3:
        return b"\n".join(b"k%d: %d" % (i, i) for i in range(size))
    return b"\n".join(b"orchestration: {}" for _ in range(size))


def _tokens(content: bytes, rng: random.Random, donor: bytes) -> bytes:
    found = list(_TOKEN.finditer(content))
    if not found:
        return content + rng.choice(NASTY)
    match = rng.choice(found)
    others = [m.group() for m in _TOKEN.finditer(donor)] or NASTY
    new = rng.choice([rng.choice(NASTY), rng.choice(others), b"", match.group() * 2])
    return content[: match.start()] + new + content[match.end() :]


def _lines(content: bytes, rng: random.Random, donor: bytes) -> bytes:
    lines, others = content.split(b"\n"), donor.split(b"\n")
    at, to = sorted((rng.randrange(len(lines) + 1), rng.randrange(len(lines) + 1)))
    kind = rng.randrange(5)
    if kind == 0:
        lines[at:at] = lines[at:to]
    elif kind == 1:
        del lines[at : min(to, at + 5)]
    elif kind == 2:
        start = rng.randrange(len(others))
        lines[at:at] = others[start : start + rng.randrange(1, 8)]
    elif kind == 3:
        lines[at:to] = [rng.choice([b" ", b"  ", b"\t", b"- "]) + line for line in lines[at:to]]
    else:
        lines[at:at] = [rng.choice(NASTY)]
    return b"\n".join(lines)


def _bytes(content: bytes, rng: random.Random, donor: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8])):
        at = rng.randrange(len(damaged) + 1)
        kind = rng.randrange(5)
        if kind == 0 and damaged:
            damaged[min(at, len(damaged) - 1)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            damaged[at:at] = rng.randbytes(rng.randrange(1, 9))
        elif kind == 2:
            del damaged[at : at + rng.randrange(1, 40)]
        elif kind == 3:
            start = rng.randrange(len(donor) + 1)
            damaged[at:at] = donor[start : start + rng.randrange(1, 60)]
        else:
            damaged[at : at + 4] = rng.choice(
                [b"\xff" * 4, b"\x00" * 4, b"\x80\x00\x00\x00", b"\xff\xff\xff\x7f"]
            )
    return bytes(damaged)


def _cut(content: bytes, rng: random.Random, donor: bytes) -> bytes:
    return content[: rng.randrange(len(content) + 1)] + donor[
        rng.randrange(len(donor) + 1) :
    ] * rng.randrange(2)


def mutant(corpus: Sequence[bytes], rng: random.Random, text: bool) -> bytes:
    """A damaged copy of one of `corpus`, with pieces of another; a function of the state of `rng` alone."""
    if rng.randrange(100) == 0:
        return rng.randbytes(rng.randrange(300))
    content, donor = rng.choice(corpus), rng.choice(corpus)
    ways: list[Callable[[bytes, random.Random, bytes], bytes]] = [_bytes, _cut]
    if text:
        ways += [_tokens, _tokens, _tokens, _lines, _lines]
        if rng.randrange(60) == 0:
            at = rng.choice([0, len(content), rng.randrange(len(content) + 1)])
            content = content[:at] + b"\n" + _bomb(rng) + b"\n" + content[at:]
    for _ in range(rng.choice([1, 1, 2, 3])):
        content = rng.choice(ways)(content, rng, donor)
    if text and rng.randrange(50) == 0:
        content = content.decode("utf-8", "replace").encode(
            rng.choice(["utf-16", "utf-32", "utf-7", "utf-8-sig"])
        )
    return content
