"""Reads a window of an image on a web server, and fetches only the bytes it needs: read_over_http.py URL"""

import io
import sys
import urllib.error
import urllib.request

import asdfkit


class Remote(io.RawIOBase):
    """A file on a web server that understands ranges."""

    def __init__(self, url: str) -> None:
        self.url, self.place, self.fetched = url, 0, 0
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as answer:
            self.length = int(answer.headers["Content-Length"])

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.place = offset + (0, self.place, self.length)[whence]
        return self.place

    def read(self, size: int = -1) -> bytes:
        last = self.length if size < 0 else min(self.place + size, self.length)
        wanted = {"Range": f"bytes={self.place}-{last - 1}"}
        with urllib.request.urlopen(urllib.request.Request(self.url, headers=wanted)) as answer:
            data = answer.read()
        self.place += len(data)
        self.fetched += len(data)
        return data


def main() -> None:
    remote = Remote(sys.argv[1])
    with asdfkit.open(remote) as file:
        window = file["data"][1000:1010, 100:110]
    print(f"mean {window.mean():g}, {remote.fetched} of {remote.length} bytes fetched")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(2)
    try:
        main()
    except (asdfkit.AsdfError, urllib.error.URLError) as problem:
        sys.exit(str(problem))
