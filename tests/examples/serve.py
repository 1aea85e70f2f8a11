"""A web server of the files of a folder that understands ranges."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path


class Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str((self.folder / self.path[1:]).stat().st_size))
        self.end_headers()

    def do_GET(self) -> None:
        content = (self.folder / self.path[1:]).read_bytes()
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        self.send_response(206)
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        self.wfile.write(content[first : last + 1])

    def log_message(self, *_: object) -> None:
        """Prints nothing."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves the files of a folder on a port of its own, whose address is the value."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
