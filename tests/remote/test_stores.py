"""Files in nginx, moto (Amazon S3) and azurite (Azure): elements, requests, credentials, replaced objects.

Usage: test_stores.py FOLDER STORES, where STORES holds the programs of moto and azurite.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import os
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

import asdfkit
import numpy as np

folder, stores = Path(sys.argv[1]), Path(sys.argv[2])
remote = ctypes.CDLL(os.environ["ASDFKIT_REMOTE_LIBRARY"])
numbers = np.arange(4096 * 4096, dtype=np.float32).reshape(4096, 4096)
IMAGE = folder / "image.asdf"
# The account that every azurite has; its key is public.
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def running(command: list, port: int) -> Iterator[None]:
    with (folder / f"{Path(command[0]).name}.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert process.poll() is None, "the server ended"
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(20)


def check_tiles(url: str, replace, **options) -> None:
    """Reads tiles, then replaces the object, which must be noticed."""
    with asdfkit.open(url, **options) as file:
        for row in (3000, 10, 2000):
            assert (np.asarray(file["data"][row : row + 64, 77:141]) == numbers[row : row + 64, 77:141]).all()
        replace(IMAGE.read_bytes() + b"\0")
        try:
            _ = file["data"][3500:3564, :64]
        except asdfkit.errors.FileError as error:
            assert "replaced" in str(error), error
        else:
            raise AssertionError("a replaced object was not noticed")


def check_cache(url: str, remote_settings: str = "") -> None:
    """Reads an object twice through a cache on disk: the second time takes the request for its version alone."""
    cached = f"{remote_settings}\ncache_directory={folder / 'cache'}"
    requests = ctypes.c_int64()
    for most in (1000, 1):
        remote.asdf_remote_statistics(ctypes.byref(requests), None, None)
        before = requests.value
        with asdfkit.open(url, remote_settings=cached) as file:
            assert (np.asarray(file["data"]) == numbers).all()
        remote.asdf_remote_statistics(ctypes.byref(requests), None, None)
        assert requests.value - before <= most, (url, requests.value - before)


def fails(kind, url: str, **options) -> str:
    try:
        asdfkit.open(url, **options)
    except kind as error:
        return str(error)
    raise AssertionError(f"{url} was opened")


def nginx() -> None:
    port, web = free_port(), folder / "web"
    (web / "private").mkdir(parents=True)
    for place in (web, web / "private"):
        (place / "image.asdf").write_bytes(IMAGE.read_bytes())
    (folder / "users").write_text("user:{PLAIN}word\n")
    (folder / "nginx.conf").write_text(f"""
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.error; user root;
events {{}}
http {{ access_log {folder}/nginx.access; client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2;
  fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {web};
    location /private/ {{ auth_basic x; auth_basic_user_file {folder}/users; }} }} }}
""")
    with running(["nginx", "-c", folder / "nginx.conf", "-e", folder / "nginx.error"], port):
        base = f"http://127.0.0.1:{port}"
        check_tiles(f"{base}/image.asdf", (web / "image.asdf").write_bytes)
        # Two requests open the file, each tile takes one more for what is behind the first MiB, and one finds the new object.
        lines = (folder / "nginx.access").read_text().splitlines()
        assert len(lines) == 6, lines
        check_cache(f"{base}/image.asdf")
        fails(asdfkit.errors.DeniedError, f"{base}/private/image.asdf")
        fails(asdfkit.errors.MissingFileError, f"{base}/missing.asdf")
        login = f"http://user:word@127.0.0.1:{port}/private/image.asdf"
        check_tiles(login, (web / "private" / "image.asdf").write_bytes)


def amazon() -> None:
    port = free_port()
    with running([stores / "bin" / "moto_server", "-H", "127.0.0.1", "-p", str(port)], port):
        script = f"""
import boto3, sys
s3 = boto3.client("s3", endpoint_url="http://127.0.0.1:{port}", region_name="us-east-1",
                  aws_access_key_id="key", aws_secret_access_key="word")
if sys.argv[1] == "make": s3.create_bucket(Bucket="bucket")
s3.put_object(Bucket="bucket", Key="folder/image one.asdf", Body=open(sys.argv[2], "rb").read())
"""
        put = [stores / "bin" / "python", "-c", script]
        subprocess.run([*put, "make", IMAGE], check=True)
        settings = f"aws_endpoint=http://127.0.0.1:{port}\naws_allow_http=true\naws_region=us-east-1\n"
        login = settings + "aws_access_key_id=key\naws_secret_access_key=word"

        def replace(content: bytes) -> None:
            (folder / "new.asdf").write_bytes(content)
            subprocess.run([*put, "again", folder / "new.asdf"], check=True)

        check_tiles("s3://bucket/folder/image%20one.asdf", replace, remote_settings=login)
        check_cache("s3://bucket/folder/image%20one.asdf", login)
        fails(asdfkit.errors.MissingFileError, "s3://bucket/folder/missing.asdf", remote_settings=login)
        # The same from the environment.
        names = {"ENDPOINT": f"http://127.0.0.1:{port}", "ALLOW_HTTP": "true", "REGION": "us-east-1"}
        os.environ.update({f"AWS_{name}": value for name, value in names.items()})
        os.environ.update({"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "word"})
        with asdfkit.open("s3://bucket/folder/image%20one.asdf") as file:
            assert file["data"].shape == (4096, 4096)


def azure() -> None:
    port = free_port()
    program = stores / "node_modules" / ".bin" / "azurite-blob"
    flags = ["--disableTelemetry", "--skipApiVersionCheck", "--silent", "--location", folder / "azurite"]
    with running([program, "--blobPort", str(port), *flags], port):
        account = f"http://127.0.0.1:{port}/devstoreaccount1"
        script = f"""
import sys
from azure.storage.blob import BlobServiceClient
client = BlobServiceClient("{account}", credential="{AZURE_KEY}")
if sys.argv[1] == "make": client.create_container("container")
client.get_blob_client("container", "folder/image.asdf").upload_blob(open(sys.argv[2], "rb").read(), overwrite=True)
"""
        put = [stores / "bin" / "python", "-c", script]
        subprocess.run([*put, "make", IMAGE], check=True)
        settings = (
            f"azure_storage_account_name=devstoreaccount1\nazure_storage_account_key={AZURE_KEY}\n"
            f"azure_storage_endpoint={account}\nallow_http=true"
        )

        def replace(content: bytes) -> None:
            (folder / "new.asdf").write_bytes(content)
            subprocess.run([*put, "again", folder / "new.asdf"], check=True)

        check_tiles("az://container/folder/image.asdf", replace, remote_settings=settings)
        check_cache("az://container/folder/image.asdf", settings)
        wrong = settings.replace(AZURE_KEY, base64.b64encode(b"wrong").decode())
        fails(asdfkit.errors.DeniedError, "az://container/folder/image.asdf", remote_settings=wrong)


asdfkit.write(IMAGE, {"data": numbers})
missing = {nginx: not any(Path(place, "nginx").exists() for place in ("/usr/sbin", "/usr/bin"))}
missing[azure] = not (stores / "node_modules" / ".bin" / "azurite-blob").exists()
passed = failed = 0
for test in (nginx, amazon, azure):
    if missing.get(test):
        print(f"{test.__name__}: not installed, left out")
        continue
    try:
        test()
        passed += 1
        print(f"{test.__name__}: ok")
    except Exception:
        failed += 1
        print(f"{test.__name__}: failed")
        traceback.print_exc(file=sys.stdout)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
