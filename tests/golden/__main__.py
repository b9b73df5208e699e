"""`python -m tests.golden`: writes the golden files anew."""

from tests.golden import detectors, path, render

for name, detector in detectors().items():
    path(name).write_text(render(detector), encoding="utf-8")
    print(path(name).name)
