"""Puts the sources of libc++ and libc++abi into Selvedge's cache.

usage: fetch.py CACHE

LLVM publishes them only as part of its whole source tree. The `ziglang` package carries just these two
libraries, unchanged but for one thing: its headers expect the site configuration from the compiler's command
line instead of from a file. The folder appears complete or not at all.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

# What the package carries, and so the name of the folder.
FOLDER = "libcxx-22.1.8"
PACKAGE = "ziglang==0.17.0"
# Only sources are taken, so one platform's file serves all.
PLATFORM = "manylinux_2_12_x86_64"
SHA256 = "97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b"
WANTED = ("libcxx/include/", "libcxx/src/", "libcxx/libc/", "libcxx/LICENSE.TXT",
          "libcxxabi/include/", "libcxxabi/src/", "libcxxabi/LICENSE.TXT")


def download(folder):
    finished = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
         "--only-binary=:all:", "--platform", PLATFORM, "--dest", str(folder), PACKAGE],
    )
    if finished.returncode != 0:
        sys.exit(f"pip could not download {PACKAGE}")
    (wheel,) = folder.glob("*.whl")
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SHA256:
        sys.exit(f"{wheel.name} is not the file that was expected: its SHA-256 differs")
    return wheel


def extract(wheel, folder):
    prefix = "ziglang/lib/"
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            name = member.filename.removeprefix(prefix)
            if member.is_dir() or name == member.filename or not name.startswith(WANTED):
                continue
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(member))


def main():
    target = pathlib.Path(sys.argv[1]) / FOLDER
    if target.is_dir():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix=".fetch-", dir=target.parent))
    try:
        extract(download(work), work / "sources")
        try:
            os.rename(work / "sources", target)
        except OSError:
            # Another process was faster; what it made is as good.
            if not target.is_dir():
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
