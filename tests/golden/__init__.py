"""Signatures and keys of a fixed corpus, as digests: the same on every machine, in every build, for ever.

    python -m tests.golden        writes the files anew (make golden); look at the difference before you keep it

A changed line means that indexes made before mean something else now: then `PREPARATION` or the detector must change
its name too.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from samestory import DETECTORS, Article, Detector, parse, prepare

FOLDER = Path(__file__).parent
#: With the parameters written out that decide about bytes: a better default elsewhere is no reason to write anew.
SPECS = {
    "cedar": "cedar(shingle=2, threshold=0.4, frequent=0.0)",
    "cedar-frequent": "cedar(shingle=2, threshold=0.4, frequent=5.0, frequent_by='shingles')",
    "codet": "codet(depth=5, suffixes=1)",
    "cooper": "cooper(salient=100, threshold=1.0, stemming='none', stop_words=True)",
    "cooper-half": "cooper(salient=20, threshold=0.5, stemming='none', stop_words=True)",
    "cops": "cops(unit='sentence', chunking='single')",
    "cops-variable": "cops(unit='word', chunking='variable', size=3)",
    "cosine": "cosine(threshold=0.6, stemming='none', stop_words=True)",
    "ddd": "ddd(terms=60, threshold=0.8, short='c-guarded', least=20, stemming='none', stop_words=False)",
    "ddd-short": "ddd(terms=12, threshold=0.7, short='c-oov', least=3, stemming='none', stop_words=False)",
    "dsc": "dsc(shingle=10, modulus=25, smallest=0, threshold=0.5)",
    "dsc-small": "dsc(shingle=3, modulus=4, smallest=9, threshold=0.3)",
    "dsc-ss": "dsc-ss(shingle=10, modulus=25, super=4)",
    "dsc-varol": "dsc-varol(shingle=4, sampling='every_third', stemming='F5', stop_words=True)",
    "dsc-varol-min": "dsc-varol(shingle=4, sampling='min_three', stemming='F5', stop_words=True)",
    "event": "event(telling=12)",
    "exact": "exact()",
    "exhaustive": "exhaustive(inner='ffp(shingle=4)')",
    "ffp": "ffp(shingle=4, stemming='F5', stop_words=True)",
    # a model of sentences rounds as its machine does; the one of letters does not round at all
    "fusion": "fusion(model='letters', telling=12)",
    "henzinger": "henzinger(shingle=8, bits=384, agreeing=355)",
    "imatch-idf": "imatch-idf(low=0.1, high=0.9)",
    "imatch-rand": "imatch-rand(low=0.1, high=0.9, lexicons=5, drop=0.3, least=0.1)",
    "imatch-top10": "imatch-top10(skip=2, count=10)",
    "koala": "koala(form='selective', letters=20, stored=100, searched=1000)",
    "koala-full": "koala(form='full', letters=20)",
    "md5-exact": "md5-exact()",
    "mega": "mega(shingle=5, supers=6, values=14)",
    "minhash": "minhash(bands=16, rows=8, shingle=5, verify=False)",
    "minhash-small": "minhash(bands=3, rows=2, shingle=2, verify=False)",
    "minhash-verified": "minhash(bands=16, rows=8, shingle=5, verify=True)",
    "park": "park(variant='df2tf3', words=5, threshold=0.8, stemming='none', stop_words=True)",
    "park-pw": "park(variant='pw', words=5, threshold=0.8, stemming='none', stop_words=True)",
    "resemblance": "resemblance(shingle=2, threshold=0.4, stemming='none', stop_words=False)",
    "reuse": "reuse(shingle=3, sample=0.15, least=16)",
    "reuse-dense": "reuse(shingle=2, sample=0.5, least=4)",
    "sanderson": "sanderson(similar=0.8, exact=0.95, stemming='none', stop_words=False)",
    "scam": "scam(epsilon=2.5, threshold=0.6, stemming='none', stop_words=True)",
    "semshort": "semshort(space='cosine', weighting='paper', lemmas='none', m=0.03, least=2, max_df=0.9, min_df=2)",
    "semshort-rows": "semshort(space='distance_rows', weighting='sklearn', lemmas='none', least=2, min_df=2)",
    "sha1-exact": "sha1-exact()",
    "sif": "sif(length=50, modulus=256)",
    "simhash": "simhash(bits=64, distance=3, skip=2, stemming='F5', stop_words=True)",
    "simhash-160": "simhash(bits=160, distance=3, skip=2, stemming='F5', stop_words=True)",
    "spotsigs": "spotsigs(distance=1, chain=2, threshold=0.44)",
    "tweezer": "tweezer(p=5, s=5, window='document', mask_figures=False, rules='study')",
    "tweezer-set": "tweezer-set(p=5, s=5, window='sentence', mask_figures=True, rules='extended', least=5)",
    "vectors": "vectors(model='letters')",
    "winnow": "winnow(gram=15, window=20)",
}
# a detector without an entry above has its default spec
SPECS |= {name: f"{name}()" for name in DETECTORS if not any(parse(spec).name == name for spec in SPECS.values())}

LONG = " ".join(f"Line {n}: the {n * 37 % 101} boats of district {n % 9} left on Monday." for n in range(120))

CORPUS = (
    Article("empty", "", lang="en"),
    Article("dots", "… — !", lang="en"),
    Article("one", "Goal", lang="en"),
    Article("en", "NASDAQ starts day with an increase. Shares gain 2%. It's 22.50 at 10:30 in 2008-2009.", lang="en"),
    Article(
        "tr",
        "IĞDIR’da ve İstanbul'da e-posta: %5 artış, 42,9 bin kişi 24 Mart Salı günü IRMAK kıyısındaydı.",
        lang="tr",
    ),
    Article("ru", "Около девяти тысяч жителей района остались без воды 11 апреля, сообщил А. Иванов.", lang="ru"),
    Article("el", "Η ΟΔΟΣ της Αθήνας έκλεισε την Τρίτη για 3 ώρες.", lang="el"),
    Article("ar", "أعلنت مدينة القاهرة يوم الاثنين عن خطة جديدة بقيمة ٢٥ مليون.", lang="ar"),
    Article("hi", "हिन्दी समाचार: दिल्ली में 25 लोग घायल हुए।", lang="hi"),
    Article("ja", "東京で25人が集まり、ニュースを読んだ。", lang="ja"),
    Article("zh", "北京今天下雨，共有3000人参加。", lang="zh"),
    Article("th", "ข่าววันนี้ 25 คน", lang="th"),
    Article("marks", "Zoe\u0308 cafe\u0301 nai\u0308ve \U0001f600 \U00020000\U00020001 soft\u00adhyphen", lang="fr"),
    Article("long", LONG, lang="en"),
)


def detectors() -> dict[str, Detector]:
    """The detectors by the names of their files."""
    return {name: parse(spec).fit([prepare(CORPUS)]) for name, spec in SPECS.items()}


def render(detector: Detector) -> str:
    """One line an article: id, bytes of the signature and their digest, number of keys and their digest."""
    signatures = detector.sign(prepare(CORPUS))
    keys = detector.keys(signatures)
    out = []
    for at, article in enumerate(CORPUS):
        filed = keys[at].astype("<i8").tobytes()
        out.append(f"{article.id} {len(signatures[at])} {digest(signatures[at])} {len(keys[at])} {digest(filed)}")
    return "\n".join(out) + "\n"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def path(name: str) -> Path:
    return FOLDER / f"{name}.txt"
