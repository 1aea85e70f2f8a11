"""Reads PNG files of eight bits a channel, for tests: pixels as an array of rows, columns and channels."""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    """Names and contents of the chunks, whose checksums must be right."""
    assert data[:8] == SIGNATURE
    at = 8
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + length]
        assert zlib.crc32(name + content) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        yield name, content
        at += 12 + length


def pixels(data):
    """Pixels of a picture in red, green and blue."""
    found = list(chunks(data))
    width, height, depth, colour = struct.unpack(">IIBB", found[0][1][:10])
    assert (depth, colour) == (8, 2)
    raw = np.frombuffer(zlib.decompress(b"".join(content for name, content in found if name == b"IDAT")), "u1")
    lines = raw.reshape(height, 1 + 3 * width)
    out = np.zeros((height, width * 3), "u1")
    above = np.zeros(width * 3, "i4")
    for row, line in enumerate(lines):
        current = unfiltered(line[0], line[1:].astype("i4"), above)
        out[row] = current
        above = current
    return out.reshape(height, width, 3)


def unfiltered(kind, line, above):
    """A line of bytes without the filter of PNG."""
    if kind == 0:
        return line
    if kind == 2:
        return (line + above) % 256
    if kind == 1:
        return np.cumsum(line.reshape(-1, 3), axis=0).reshape(-1) % 256
    out = np.zeros_like(line)
    for index in range(len(line)):
        left = out[index - 3] if index >= 3 else 0
        corner = above[index - 3] if index >= 3 else 0
        up = above[index]
        if kind == 3:
            guess = (left + up) // 2
        else:
            near = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
            guess = (left, up, corner)[near.index(min(near))]
        out[index] = (line[index] + guess) % 256
    return out
