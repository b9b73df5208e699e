"""The studies whose experiments are reproduced."""

from __future__ import annotations

#: By key: the short name for tables, and the full reference.
STUDIES: dict[str, tuple[str, str]] = {
    "uyar2009": (
        "Uyar 2009",
        "Uyar: Near-duplicate news detection using named entities. M.S. thesis, Bilkent University, 2009",
    ),
    "varol2012": (
        "Varol 2012",
        "Varol: CoDet: containment and near-duplicate detection in text corpora. M.S. thesis, Bilkent University, 2012",
    ),
    "gibson2007": (
        "Gibson 2007",
        "Gibson, Wellner, Lubar: Identification of duplicate news stories in web pages, 2007",
    ),
    "conrad2006": (
        "Conrad 2006",
        "Conrad, Schriber: Managing déjà vu: collection building for the identification of nonidentical duplicate "
        "documents. JASIST 57(7), 2006",
    ),
    "fomin2017": (
        "Fomin 2017",
        "Fomin, Belousov: Detecting semantic duplicates in short news items. Business Informatics 2(40), 2017",
    ),
    "others": ("several", "Claims of others that the five studies quote"),
}
