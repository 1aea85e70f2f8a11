"""A web server with faults. The path says what goes wrong: /FAULT/NAME, where FAULT is `ok` or one of those below.
Of `together`, a large request is answered once another one is under way."""

from __future__ import annotations

import base64
import threading
import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOGIN = "Basic " + base64.b64encode(b"user:pass word").decode()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.version = 1
        self.lock = threading.Condition()
        self.clear()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def clear(self) -> None:
        """Forgets the requests so far."""
        self.requests: list[tuple[str, int, int]] = []  # path, first byte, number of bytes that were asked for
        self.sent = 0
        self.together = 0  # requests under way
        self.most_together = 0
        self.tries: dict[str, int] = {}

    def url(self, path: str, login: str = "") -> str:
        return f"http://{login}127.0.0.1:{self.server_port}/{path}"

    def handle_error(self, request, client_address) -> None:
        """A client that hangs up is part of the tests."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, *args) -> None:
        pass

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def do_GET(self) -> None:
        self.answer(body=True)

    def refuse(self, status: int, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer(self, body: bool) -> None:
        server = self.server
        with server.lock:
            server.together += 1
            server.most_together = max(server.most_together, server.together)
            server.lock.notify_all()
        try:
            self.answer_counted(body)
        finally:
            with server.lock:
                server.together -= 1

    def answer_counted(self, body: bool) -> None:
        server = self.server
        path = self.path.split("?")[0]
        _, fault, name = path.split("/", 2)
        content = server.files.get(name)
        asked = self.headers.get("Range")
        first, last = 0, len(content or b"") - 1
        if asked:
            begin, _, end = asked.removeprefix("bytes=").partition("-")
            first, last = int(begin), min(int(end or last), last)
        with server.lock:
            server.requests.append((self.path, first, last - first + 1))
            tries = server.tries[path] = server.tries.get(path, 0) + 1
            if fault == "together" and last - first > 1 << 20:
                server.lock.wait_for(lambda: server.most_together > 1, timeout=30)
        if content is None:
            return self.refuse(404)
        if fault == "private" and self.headers.get("Authorization") not in (LOGIN, "Bearer token"):
            return self.refuse(401, {"WWW-Authenticate": "Basic"})
        if fault == "signed" and "key=secret" not in self.path:
            return self.refuse(403)
        if fault == "always500" or (fault == "twice500" and tries in (2, 3)):
            return self.refuse(500)
        if fault == "busy" and tries in (1, 3):
            return self.refuse(429, {"Retry-After": "0"})
        mark = {"weak": f'W/"{server.version}"', "unmarked": None, "norange": None}.get(fault, f'"{server.version}"')
        if self.headers.get("If-Match") not in (None, mark) and fault != "careless":
            return self.refuse(412)
        if asked and first > last:
            return self.refuse(416, {"Content-Range": f"bytes */{len(content)}"})
        is_partial = asked is not None and fault != "norange"
        if not is_partial:
            first, last = 0, len(content) - 1
        part = content[first : last + 1]
        self.send_response(206 if is_partial else 200)
        if is_partial:
            shift = 1 if fault == "shifted" and tries > 1 else 0
            self.send_header("Content-Range", f"bytes {first + shift}-{last + shift}/{len(content)}")
        if mark:
            self.send_header("ETag", mark)
        elif fault == "unmarked":
            self.send_header("Last-Modified", formatdate(1_000_000 * server.version, usegmt=True))
        is_cut = fault == "cut" or (fault == "cutonce" and tries == 2)
        is_short = fault == "short" and tries > 1
        self.send_header("Content-Length", str(len(part) // 2 if is_short else len(part)))
        self.end_headers()
        if not body:
            return None
        if is_cut or is_short:
            part = part[: len(part) // 2]
        if fault == "stalled" and tries > 1:
            self.wfile.write(part[:1000])
            self.wfile.flush()
            time.sleep(3)
            self.close_connection = True
            return None
        if fault == "slow" and tries > 1:
            for at in range(0, len(part), 100_000):
                self.wfile.write(part[at : at + 100_000])
                time.sleep(0.05)
            part = b""
        self.wfile.write(part)
        with server.lock:
            server.sent += len(part)
        if is_cut:
            self.close_connection = True
        return None
