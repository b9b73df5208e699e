"""The checksum of a SQLite backup, in its own header: SQLite itself does not notice a changed byte of a text.

Two fields of the header are free for applications: `application_id` marks a sealed file, `user_version` has the CRC-32
of the file with zeros in its place. An opened archive has neither.
"""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

from samestory.errors import StoreError

#: `application_id` of a sealed backup.
MARK = int.from_bytes(b"SmSt", "big")
#: Where the two fields are in the header, in bytes.
_CHECKSUM, _MARK = slice(60, 64), slice(68, 72)
_HEADER_BYTES, _CHUNK_BYTES = 100, 1 << 22


def seal(path: Path) -> None:
    """Write the checksum of a closed database file into its header."""
    with path.open("r+b") as file:
        header = bytearray(file.read(_HEADER_BYTES))
        header[_MARK] = MARK.to_bytes(4, "big")
        file.seek(0)
        file.write(header)
    checksum = _checksum(path)
    with path.open("r+b") as file:
        file.seek(_CHECKSUM.start)
        file.write(checksum.to_bytes(4, "big"))


def unseal(connection: sqlite3.Connection) -> None:
    """Remove the checksum from a database that will change."""
    connection.execute("PRAGMA application_id = 0")
    connection.execute("PRAGMA user_version = 0")


def check_seal(path: Path) -> None:
    """Raise a StoreError if a sealed file has changed since; a file without a checksum passes."""
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if int.from_bytes(header[_MARK], "big") != MARK:
        return
    if int.from_bytes(header[_CHECKSUM], "big") != _checksum(path):
        raise StoreError("damaged (its checksum does not match)", hint="use another backup", place=path)


def _checksum(path: Path) -> int:
    with path.open("rb") as file:
        header = bytearray(file.read(_HEADER_BYTES))
        header[_CHECKSUM] = bytes(4)
        checksum = zlib.crc32(header)
        while chunk := file.read(_CHUNK_BYTES):
            checksum = zlib.crc32(chunk, checksum)
    return checksum
