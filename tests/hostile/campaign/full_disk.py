"""A disk that fills up: each command ends with an error of its own or succeeds, and what was stored stays whole."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from samestory import Decisions
from samestory.archive import Archive
from samestory.errors import SamestoryError
from samestory.lab.collection import AssessorSession, Collection, assign, hire
from samestory.lab.collection.copies import verify_collection
from tests import server
from tests.archive.news import item, news, story
from tests.hostile.campaign.targets import sound
from tests.hostile.campaign.trial import Budget, Case, Trial
from tests.hostile.campaign.writers import stored_or_expired
from tests.hostile.disks import CannotMountError, mounted
from tests.lab.collection.work import made
from tests.server import Server

BUDGET = Budget(seconds=480, memory_mb=500)
#: Sizes of the space that is left, for each command.
SIZES = 20
DISK_KB, MAX_FREE_KB = 32_000, 1000

LIMIT = datetime(2026, 3, 4, tzinfo=UTC)


class Disk:
    """A full disk with an archive, a file of decisions and a collection on it."""

    def __init__(self, folder: Path, elsewhere: Path) -> None:
        self.decisions, self.gold = folder / "decisions.jsonl", folder / "gold.db"
        self.place: Path | str = folder / "news.db"
        self.backup, self.ballast, self.folder = elsewhere / "sunday.backup", folder / "ballast", folder
        with Archive.open(self.place) as archive:
            archive.add(news(5, 40))
            if not self.backup.exists():
                archive.backup(self.backup)
        self.ids = {f"s5-{number}" for number in range(40)}
        Decisions.append(self.decisions, "a", "b", "same")
        with made(self.gold, [(f"a{n}", f"b{n}") for n in range(15)]) as collection:
            self.token = hire(collection, ["s1", "s2"])["s1"]
            assign(collection, 2, 2, 0.0)
        self.answers: list[str] = []
        self.number = 0

    def fill(self, free_bytes: int) -> None:
        """Leave only so many bytes free."""
        with self.ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(65536))
            except OSError:
                file.truncate(max(0, file.tell() - free_bytes))

    def empty(self) -> None:
        """Make room again."""
        self.ballast.unlink()

    def verify(self) -> None:
        """Check that all that was acknowledged is stored, without damage."""
        sound(str(self.place))
        assert self.ids <= stored_or_expired(str(self.place)), "acknowledged articles are lost"
        assert ("a", "b") in Decisions.load(self.decisions).same, "a decision is lost"
        contents, faults = verify_collection(self.gold)
        assert not faults, f"damage: {'; '.join(faults)}"
        assert contents.answers >= len(self.answers), "answers are lost"


def add(disk: Disk) -> None:
    """Add articles in batches."""
    with Archive.open(disk.place) as archive:
        for _ in range(5):
            disk.number += 1
            batch = [item(f"n{disk.number}-{n}", story(1000 * disk.number + n)) for n in range(20)]
            archive.add(batch)
            disk.ids |= {each["id"] for each in batch}


def expire(disk: Disk) -> None:
    """Expire articles."""
    with Archive.open(disk.place) as archive:
        archive.expire(LIMIT, force=True)


def unexpire(disk: Disk) -> None:
    """Bring back what has expired."""
    with Archive.open(disk.place) as archive:
        archive.restore_expired()


def rebuild(disk: Disk) -> None:
    """Rebuild the archive."""
    with Archive.open(disk.place) as archive:
        archive.rebuild(["reuse", "event"])


def decide(disk: Disk) -> None:
    """Decide in the archive."""
    with Archive.open(disk.place) as archive:
        archive.decide("s5-1", "s5-2", "apart")


def back_up(disk: Disk) -> None:
    """Back the archive up on the same disk; the copy is whole, or is not there."""
    path = disk.folder / "copy.backup"
    try:
        with Archive.open(disk.place) as archive:
            archive.backup(path)
        Archive.restore(path, disk.backup.with_name("again.db"))
        disk.backup.with_name("again.db").unlink()
    except SamestoryError:
        assert not path.exists(), "half a backup"
        raise
    finally:
        path.unlink(missing_ok=True)


def restore(disk: Disk) -> None:
    """Restore a backup to the same disk; the archive is whole, or is not there."""
    path = disk.folder / "again.db"
    try:
        Archive.restore(disk.backup, path)
        sound(str(path))
    except SamestoryError:
        if path.exists():
            sound(str(path))
        raise
    finally:
        for each in disk.folder.glob("again.db*"):
            each.unlink()


def decide_in_file(disk: Disk) -> None:
    """Append to the file of decisions."""
    for number in range(30):
        Decisions.append(disk.decisions, f"left {number}", "ş" * 2000, "apart")


def answer(disk: Disk) -> None:
    """Answer the tasks of an assessor."""
    with Collection.open(disk.gold) as collection:
        assessor = AssessorSession.from_token(collection, disk.token)
        assert assessor is not None
        for task in [assessor.next(), *assessor.answered(30)]:
            if task is not None:
                assessor.answer(task.place, "yes", comment="because " * 500)
                disk.answers.append(str(task.place))


COMMANDS: tuple[Callable[[Disk], None], ...] = (
    add,
    expire,
    unexpire,
    rebuild,
    decide,
    back_up,
    restore,
    decide_in_file,
    answer,
)


class ServerDisk(Disk):
    """A full disk with all files of a PostgreSQL server, and an archive on it."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.server, self.place, self.ballast = server, server.fresh(), folder / "ballast"
        with Archive.open(self.place) as archive:
            archive.add(news(5, 40))
        self.ids = {f"s5-{number}" for number in range(40)}
        self.number = 0

    def revive(self) -> bool:
        """Start the server if it has ended: it does if its log of changes cannot be written. Return whether it had."""
        if self.server.is_running():
            return False
        self.server.start()
        return True

    def verify(self) -> None:
        """Check that all that was acknowledged is stored, without damage."""
        sound(str(self.place))
        assert self.ids <= stored_or_expired(str(self.place)), "acknowledged articles are lost"


#: Commands on an archive; a backup is a file elsewhere.
SERVER_COMMANDS: tuple[Callable[[Disk], None], ...] = (add, expire, unexpire, rebuild, decide)
#: What a server that is too large for a small disk by default needs there: segments of its log of 1 MB, and few.
SERVER_MB, CREATE = 160, ("--wal-segsize=1",)
SERVER_OPTIONS = ("-c", "min_wal_size=2MB", "-c", "max_wal_size=4MB", "-c", "shared_buffers=8MB")
MAX_FREE_SERVER_KB = 600
#: Each try includes a recovery of the server.
SERVER_SIZES = 8


@contextmanager
def server_on_small_disk() -> Iterator[tuple[Path, Server]]:
    """Mount a small disk and start a server on it; raises a CannotMountError where that is not possible."""
    programs = server.programs()
    if programs is None:
        raise CannotMountError("PostgreSQL is not installed")
    # the server is another user, which cannot read the folders of the tests
    with tempfile.TemporaryDirectory(prefix="samestory-disk-") as made:
        Path(made).chmod(0o755)
        with (
            mounted(Path(made) / "disk", f"{SERVER_MB}m") as folder,
            server.running(programs, folder, CREATE, SERVER_OPTIONS) as started,
        ):
            yield folder, started


def fill_server_and_run(command: Callable[[Disk], None], sizes: int, disk: ServerDisk, case: Case) -> None:
    """Run a command again and again while the disk of the server has little space left."""
    random = Random(command.__name__)
    for _ in range(sizes):
        with case.attempt():
            disk.fill(random.randrange(MAX_FREE_SERVER_KB) * 1024)
            try:
                command(disk)
            except SamestoryError as error:
                case.count("refused")
                assert re.search("space|connection|server|recovery", str(error)), str(error)
            finally:
                disk.empty()
                if disk.revive():
                    case.count("server_ended")
            disk.verify()
        with case.attempt():
            case.tried -= 1
            command(disk)  # with space, it works again
            disk.verify()


def fill_and_run(command: Callable[[Disk], None], sizes: int, folder: Path, case: Case) -> None:
    """Run a command again and again with little space left."""
    random = Random(command.__name__)
    for number in range(sizes):
        # fresh disks now and then; in between, the command meets what the last one left
        if number % 5 == 0:
            target = folder / f"{command.__name__} {number}"
            with mounted(target, f"{DISK_KB}k") as place:
                disk = Disk(place, folder)
                for _ in range(min(5, sizes - number)):
                    with case.attempt():
                        disk.fill(random.randrange(MAX_FREE_KB) * 1024)
                        try:
                            command(disk)
                        except (SamestoryError, OSError) as error:
                            case.count("refused")
                            assert re.search("disk|space|full", str(error)), str(error)
                        finally:
                            full = disk.ballast.stat().st_size
                            disk.empty()
                        assert full, "the disk was never full"
                        disk.verify()
                    with case.attempt():
                        case.tried -= 1
                        command(disk)  # with space, it works again
                        disk.verify()


def run(trial: Trial, folder: Path) -> None:
    """Fill a disk for each command."""
    try:
        with mounted(folder / "try", "100k"):
            pass
    except CannotMountError as error:
        trial.skip("full disk", f"no file system can be mounted here: {error}")
        return
    for command in COMMANDS:
        with trial.case(f"full disk: {command.__name__.replace('_', ' ')}") as case:
            fill_and_run(command, trial.times(SIZES), folder, case)
    try:
        with server_on_small_disk() as (place, started):
            for command in SERVER_COMMANDS:
                with trial.case(f"full disk of the server: {command.__name__}, postgres") as case:
                    fill_server_and_run(command, trial.times(SERVER_SIZES), ServerDisk(place, started), case)
    except CannotMountError as error:
        trial.skip("full disk of the server", str(error))
