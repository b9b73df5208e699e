"""Where things are kept: one SQLite file or one PostgreSQL database, spoken to in the same words."""

from samestory.database.database import Database
from samestory.database.migrate import Migrations
from samestory.database.places import connect, restore
from samestory.database.session import Session
from samestory.database.values import storable

__all__ = ["Database", "Migrations", "Session", "connect", "restore", "storable"]
