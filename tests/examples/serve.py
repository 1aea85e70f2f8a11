"""Serves one file on a port of its own, with ranges, until its input ends: serve.py FILE. Prints the address first."""

import http.server
import sys
import threading
from pathlib import Path

CONTENT = Path(sys.argv[1]).read_bytes()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()

    def do_GET(self) -> None:
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        self.send_response(206)
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        self.wfile.write(CONTENT[first : last + 1])

    def log_message(self, *_: object) -> None:
        """Keeps the output to the address."""


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/image.asdf", flush=True)
sys.stdin.read()
