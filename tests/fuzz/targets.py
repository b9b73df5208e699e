"""The targets of `make fuzz`: everything that reads bytes, texts or columns from outside."""

from __future__ import annotations

from tests.fuzz.exchange import EXCHANGE
from tests.fuzz.files import FILES, RECORDS
from tests.fuzz.lines import DECISIONS, GOLD, MODELS_OF_R, PAGE_LINES, RELATIONS, SITE_FILTERS, SPECS_TARGET
from tests.fuzz.pages import MODELS, PAGES
from tests.fuzz.search import SEARCHES
from tests.fuzz.segments import SEGMENTS
from tests.fuzz.signatures import EVIDENCE, INDEX, SIGNATURES, STREAMS
from tests.fuzz.states import STATES, TABLES
from tests.fuzz.target import Target
from tests.fuzz.texts import COLUMNS, NAMES, TEXTS

#: In this order they share the time.
TARGETS: dict[str, Target] = {
    target.name: target
    for target in (
        *(
            PAGES,
            MODELS,
            SIGNATURES,
            EVIDENCE,
            INDEX,
            SEARCHES,
            SEGMENTS,
            STREAMS,
            STATES,
            TABLES,
            EXCHANGE,
            FILES,
            RECORDS,
            TEXTS,
            NAMES,
        ),
        *(COLUMNS, SPECS_TARGET, RELATIONS, DECISIONS, GOLD, PAGE_LINES, SITE_FILTERS, MODELS_OF_R),
    )
}
