"""Storage in a SQLite file or a PostgreSQL database, through one interface."""

from samestory.database.database import Database
from samestory.database.migrate import Migrations
from samestory.database.places import connect, restore, verify
from samestory.database.session import Session
from samestory.database.values import storable

__all__ = ["Database", "Migrations", "Session", "connect", "restore", "storable", "verify"]
