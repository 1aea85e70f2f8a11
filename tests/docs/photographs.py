"""Photographs pages of the manual in Chromium, wide and narrow, light and dark: photographs.py HTML PHOTOGRAPHS

A page whose text is wider than the window is a failure. The photographs are for eyes.
"""

import functools
import html
import http.server
import json
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

PAGES = (
    "index",
    "start/first-program",
    "cookbook/tasks",
    "guide/file-formats",
    "reference/c/arrays",
    "coming-from/hdf5",
)
SIZES = {"wide": (1280, 900), "narrow": (390, 844)}
# Measures each page in a frame of each width, and writes the overflow in pixels to the document.
MEASURE = """<!doctype html><body><script>
(async () => {
  const found = {};
  for (const [page, width] of %s) {
    const frame = document.createElement("iframe");
    frame.style.width = width + "px";
    frame.style.height = "800px";
    document.body.append(frame);
    await new Promise(loaded => { frame.onload = loaded; frame.src = "/" + page + ".html"; });
    const root = frame.contentDocument.documentElement;
    found[page + " " + width] = root.scrollWidth - root.clientWidth;
    frame.remove();
  }
  document.body.textContent = JSON.stringify(found);
})();
</script></body>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/measure":
            super().do_GET()
            return
        content = (MEASURE % json.dumps([(page, width) for page in PAGES for width, _ in SIZES.values()])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keeps the output to the results."""


def chromium(*options: str) -> str:
    with tempfile.TemporaryDirectory() as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", *options]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def main(manual: Path, photographs: Path) -> int:
    photographs.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=manual))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    dumped = chromium("--virtual-time-budget=30000", "--dump-dom", f"{address}/measure")
    measured = json.loads(html.unescape(re.search(r"<body>(\{.*\})</body>", dumped)[1]))
    failed = 0
    for page, overflow in measured.items():
        if overflow > 0:
            failed += 1
            print(f"FAILED {page}: the text is {overflow} pixels wider than the window")
    for page in PAGES:
        for name, (width, height) in SIZES.items():
            for theme, scheme in (("light", 1), ("dark", 0)):
                file = photographs / f"{page.replace('/', '-')}-{name}-{theme}.png"
                look = f"--blink-settings=preferredColorScheme={scheme}"
                chromium(look, f"--window-size={width},{height}", f"--screenshot={file}", f"{address}/{page}.html")
                if not file.exists():
                    failed += 1
                    print(f"FAILED {file.name}: there is no photograph")
    expected = len(PAGES) * len(SIZES)
    if len(measured) != expected:
        failed += 1
        print(f"FAILED {len(measured)} of {expected} widths were measured")
    print(f"{expected * 3 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
