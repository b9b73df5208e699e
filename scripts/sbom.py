"""Write a bill of materials (CycloneDX JSON) beside every wheel in a folder.

    python scripts/sbom.py dist      writes dist/NAME.cdx.json for dist/NAME.whl

It lists the crates that are linked into the native module, with their checksums, and the locked versions of the Python
packages that the wheel requires. The same wheel gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any

from crates import ROOT, checksums, linked

LOCK = ROOT / "requirements" / "release.txt"


def crates(offline: bool = True) -> list[dict[str, Any]]:
    """The components of the native module."""
    sums = checksums()
    return [
        {
            "type": "library",
            "bom-ref": f"pkg:cargo/{crate.name}@{crate.version}",
            "name": crate.name,
            "version": crate.version,
            "purl": f"pkg:cargo/{crate.name}@{crate.version}",
            "licenses": [{"expression": crate.declared.replace("/", " OR ")}],
            "hashes": [{"alg": "SHA-256", "content": sums[crate.name, crate.version]}],
            "scope": "required",
        }
        for crate in linked(offline)
    ]


def required() -> list[str]:
    """The names of the Python packages that every installation needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[<>=!~ \[;]", each, maxsplit=1)[0] for each in project["dependencies"]]


def packages() -> list[dict[str, Any]]:
    """The locked Python packages; those of extras are optional."""
    found = re.findall(r"^([a-z0-9._-]+)==([^\s;\\]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    needed = set(required())
    return [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}@{version}",
            "name": name,
            "version": version,
            "purl": f"pkg:pypi/{name}@{version}",
            "scope": "required" if name in needed else "optional",
        }
        for name, version in found
    ]


def bill(wheel: Path, offline: bool = True) -> dict[str, Any]:
    """The bill of materials of a wheel."""
    name, version = wheel.name.split("-")[:2]
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    own = f"pkg:pypi/{name}@{version}"
    components = [*crates(offline), *packages()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": own,
                "name": name,
                "version": version,
                "purl": own,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            }
        },
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [each["bom-ref"] for each in components]}],
    }


def main() -> int:
    """Writes the bill of every wheel in the folder."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    wheels = sorted(folder.glob("*.whl"))
    for wheel in wheels:
        target = wheel.with_suffix(".cdx.json")
        target.write_text(json.dumps(bill(wheel, offline=False), indent=2) + "\n", encoding="utf-8")
        print(target)
    if not wheels:
        print(f"sbom: no wheel in {folder}: make wheel", file=sys.stderr)
    return int(not wheels)


if __name__ == "__main__":
    sys.exit(main())
