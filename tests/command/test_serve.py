"""serve: a folder as a web site for this computer, with right and hostile requests."""

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import COMMAND, refused

#: The package for browsers, without the compiled reader.
NPM = Path(__file__).resolve().parents[2] / "crates" / "wasm" / "npm"


@contextmanager
def served(folder, *arguments):
    """The port of a server of a folder."""
    process = subprocess.Popen([COMMAND, "serve", str(folder), *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:") and address.endswith("/")
        yield int(address.rpartition(":")[2].rstrip("/"))
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0


@pytest.fixture
def site(tmp_path, roman):
    """A folder with files, links and hidden files, beside a file that must stay secret."""
    root = tmp_path / "site"
    (root / "sub dir").mkdir(parents=True)
    (root / ".git").mkdir()
    roman.rename(root / "roman.asdf")
    (root / "bytes.bin").write_bytes(bytes(range(200)))
    (root / "page.html").write_text("<script>alert(1)</script>")
    (root / "<b>.txt").write_text("x")
    (root / "sub dir" / "é.txt").write_text("inner")
    (root / ".hidden").write_text("secret")
    (root / ".git" / "config").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    (root / "out.txt").symlink_to("../secret.txt")
    (root / "up").symlink_to("..")
    (root / "etc").symlink_to("/etc")
    (root / "in.bin").symlink_to("bytes.bin")
    (root / "loop").symlink_to("loop")
    os.mkfifo(root / "pipe")
    return root


def request(port, target, method="GET", fields=None):
    """Status, header fields and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest(method, target, skip_host=bool(fields and "Host" in fields))
    for name, value in (fields or {}).items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


def raw(port, sent):
    """All bytes that the server sends back for some bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def test_pages_and_files(site):
    with served(site) as port:
        status, fields, body = request(port, "/")
        text = body.decode()
        assert status == 200 and fields["content-type"].startswith("text/html")
        assert "default-src 'none'" in text and "&lt;b&gt;.txt" in text and "<b>" not in text
        assert (
            'href="/page/roman.asdf"' in text
            and 'href="/files/bytes.bin"' in text
            and 'href="/folder/sub%20dir/"' in text
        )
        assert not any(
            name in text.partition("<tbody>")[2] for name in ["hidden", ".git", "out.txt", ">up", "etc", "loop", "pipe"]
        )
        assert "in.bin" in text
        status, _, body = request(port, "/folder/sub%20dir/")
        assert status == 200 and "é.txt" in body.decode()
        assert request(port, "/files/sub%20dir/%C3%A9.txt")[2] == b"inner"
        status, fields, body = request(port, "/page/roman.asdf")
        assert status == 200 and b"telescope" in body and fields["x-content-type-options"] == "nosniff"
        # The content of a file is never a page of this site.
        status, fields, body = request(port, "/files/page.html")
        assert fields["content-type"] == "application/octet-stream" and "attachment" in fields["content-disposition"]
        assert request(port, "/page/page.html")[0] == 500
        assert request(port, "/page/missing.asdf")[0] == 404


def test_ranges(site):
    content = bytes(range(200))
    with served(site) as port:
        status, fields, body = request(port, "/files/bytes.bin")
        assert (status, body, fields["accept-ranges"]) == (200, content, "bytes")
        mark = fields["etag"]
        for asked, start, end in [("0-9", 0, 10), ("190-", 190, 200), ("-5", 195, 200), ("150-999", 150, 200)]:
            status, fields, body = request(port, "/files/in.bin", fields={"Range": f"bytes={asked}"})
            assert (status, body) == (206, content[start:end])
            assert fields["content-range"] == f"bytes {start}-{end - 1}/200"
        status, fields, body = request(port, "/files/bytes.bin", fields={"Range": "bytes=200-"})
        assert (status, fields["content-range"], body) == (416, "bytes */200", b"")
        for whole in ["bytes=0-1,5-6", "bytes=x", "lines=1-2", "bytes=9-2"]:
            assert request(port, "/files/bytes.bin", fields={"Range": whole})[0] == 200
        changed = {"Range": "bytes=0-9", "If-Range": '"other"'}
        assert request(port, "/files/bytes.bin", fields=changed)[0] == 200
        assert request(port, "/files/bytes.bin", fields={"Range": "bytes=0-9", "If-Range": mark})[0] == 206
        assert request(port, "/files/bytes.bin", fields={"If-None-Match": mark})[0] == 304
        status, fields, body = request(port, "/files/bytes.bin", "HEAD")
        assert (status, fields["content-length"], body) == (200, "200", b"")


@pytest.mark.parametrize(
    "target",
    [
        "/files/../secret.txt",
        "/files/%2e%2e/secret.txt",
        "/files/..%2fsecret.txt",
        "/files/sub%20dir/../../secret.txt",
        "/files/up/secret.txt",
        "/files/out.txt",
        "/page/out.txt",
        "/folder/up/",
        "/folder/etc/",
        "/folder/../",
        "/files/etc/passwd",
        "/files//etc/passwd",
        "/files/.hidden",
        "/files/.git/config",
        "/files/%2egit/config",
        "/files/loop",
        "/files/pipe",
        "/files/bytes.bin%00.txt",
        "/files/sub%20dir",
        "/files/%zz",
        "/files/..\\secret.txt",
        "/secret.txt",
        "/files",
    ],
)
def test_nothing_else_is_served(site, target):
    with served(site) as port:
        answer = raw(port, f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith((b"HTTP/1.1 404 ", b"HTTP/1.1 400 ")) and b"secret" not in answer.partition(b"\r\n\r\n")[2]
    assert b"root:" not in answer


def test_hostile_requests(site):
    with served(site) as port:
        for host, status in [
            (f"127.0.0.1:{port}", 200),
            (f"localhost:{port}", 200),
            (f"LOCALHOST:{port}", 200),
            ("evil.example", 421),
            (f"evil.example:{port}", 421),
            (f"127.0.0.1.evil.example:{port}", 421),
            ("127.0.0.1", 421),
            ("127.0.0.1:1", 421),
        ]:
            assert request(port, "/", fields={"Host": host})[0] == status, host
        own = f"Host: 127.0.0.1:{port}\r\n"
        for text, status in [
            ("GET / HTTP/1.1\r\n\r\n", 400),
            (f"GET / HTTP/1.1\r\n{own}{own}\r\n", 400),
            (f"POST / HTTP/1.1\r\n{own}\r\n", 405),
            (f"PUT /files/x HTTP/1.1\r\n{own}Content-Length: 1\r\n\r\nx", 405),
            (f"DELETE /files/bytes.bin HTTP/1.1\r\n{own}\r\n", 405),
            (f"GET / HTTP/1.1\r\n{own}Content-Length: 4\r\n\r\nGET ", 400),
            (f"GET / HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            (f"GET / HTTP/1.1\r\n{own}Sec-Fetch-Site: cross-site\r\n\r\n", 403),
            (f"GET http://evil.example/ HTTP/1.1\r\n{own}\r\n", 400),
            (f"GET /{'a' * 30000} HTTP/1.1\r\n{own}\r\n", 431),
            (f"GET / HTTP/1.1\r\n{own}" + "X: y\r\n" * 200 + "\r\n", 431),
            ("\x16\x03\x01\x02\x00", 400),
            (f"GET / HTTP/1.1\r\n{own}", 400),
        ]:
            try:
                answer = raw(port, text.encode("latin-1"))
            except ConnectionError:
                continue
            # The connection may be reset before a long request is read to its end.
            assert answer == b"" or answer.startswith(f"HTTP/1.1 {status} ".encode()), (text[:60], answer[:60])
        two = f"HEAD / HTTP/1.1\r\n{own}\r\nGET /files/bytes.bin HTTP/1.1\r\n{own}Connection: close\r\n\r\n"
        answer = raw(port, two.encode())
        assert answer.count(b"HTTP/1.1 200 OK") == 2 and answer.endswith(bytes(range(200)))
        # Silent connections take no place from others for long.
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        started = time.monotonic()
        assert request(port, "/")[0] == 200 and time.monotonic() - started < 5
        for connection in silent:
            connection.close()
    assert (site / "bytes.bin").exists() and sorted(path.name for path in site.iterdir()).count("x") == 0


def test_the_viewer(site, tmp_path):
    viewer = tmp_path / "npm"
    shutil.copytree(NPM, viewer)
    (viewer / "asdfkit.wasm").write_bytes(b"\0asm")
    (viewer / "secret.txt").write_text("secret")
    with served(site, "--viewer", viewer) as port:
        listed = request(port, "/")[2].decode()
        assert 'href="/viewer/viewer/index.html?url=%2Ffiles%2Froman.asdf"' in listed, listed
        for name, kind in {
            "viewer/index.html": "text/html; charset=utf-8",
            "viewer/viewer.js": "text/javascript; charset=utf-8",
            "viewer/viewer.css": "text/css; charset=utf-8",
            "core.js": "text/javascript; charset=utf-8",
            "worker.js": "text/javascript; charset=utf-8",
            "asdfkit.wasm": "application/wasm",
        }.items():
            status, fields, body = request(port, f"/viewer/{name}")
            assert (status, fields["content-type"], body) == (200, kind, (viewer / name).read_bytes()), name
            assert fields["x-content-type-options"] == "nosniff"
        # All that the page and its parts name is there.
        page = request(port, "/viewer/viewer/index.html")[2].decode()
        for name in re.findall(r'(?:src|href)="([^"]+)"', page):
            assert request(port, f"/viewer/viewer/{name}")[0] == 200, name
        for script in viewer.rglob("*.js"):
            for name in re.findall(r'(?:from |URL\()"(\.[^"]+)"', script.read_text()):
                found = (script.parent / name).resolve().relative_to(viewer.resolve())
                assert request(port, f"/viewer/{found}")[0] == 200, (script, name)
        for name in ("secret.txt", "package.json", "../npm/core.js", "%2e%2e/site/bytes.bin", "none.js", ""):
            assert request(port, f"/viewer/{name}")[0] in (400, 404), name
    with served(site) as port:
        is_installed = (Path(COMMAND).resolve().parent.parent / "share" / "asdfkit" / "viewer").is_dir()
        assert request(port, "/viewer/core.js")[0] == (200 if is_installed else 404)
        assert ("/viewer/" in request(port, "/")[2].decode()) == is_installed
    refused("serve", site, "--viewer", tmp_path / "missing")
    refused("serve", site, "--viewer", site, match="viewer/index.html")


def test_wrong_folders(tmp_path, roman):
    refused("serve", tmp_path / "missing", match="missing")
    refused("serve", roman, match="roman.asdf")
