"""SpotSigs: at every stop word, the chain of the next content words; compared by multi-set Jaccard.

"at a rally to kick off a weeklong campaign", antecedent "a", distance 1, chain 2: a:rally:kick, a:weeklong:campaign.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set

from samestory import Article
from tests.reference.shares import Result, multiset_jaccard, reaches, without_features
from tests.reference.text import StopList, Table, language, stop_list_or_own, terms


def spots(
    words: Sequence[str], stops: Set[str], antecedents: Set[str] | None = None, distance: int = 1, chain: int = 2
) -> list[str]:
    """The spots in order: of the content words behind an antecedent, every `distance`-th, `chain` of them or none."""
    out = []
    for at, word in enumerate(words):
        if word in (stops if antecedents is None else antecedents):
            content = [later for later in words[at + 1 :] if later not in stops]
            links = content[distance - 1 :: distance][:chain]
            if len(links) == chain:
                out.append(":".join([word, *links]))
    return out


def compare(
    left: Article,
    right: Article,
    *,
    table: Table | None = None,
    distance: int = 1,
    chain: int = 2,
    threshold: float = 0.44,
    stop_list: StopList | None = None,
) -> Result:
    """Near where the multi-set Jaccard reaches the threshold; shares = common spots / own spots."""

    def counted(article: Article) -> Counter[str]:
        stops = set(stop_list_or_own(stop_list)(language(article)))
        return Counter(spots(terms(article), stops, distance=distance, chain=chain))

    a, b = counted(left), counted(right)
    if found := without_features(bool(a), bool(b)):
        return found
    common = (a & b).total()
    kind = "NEAR" if reaches(multiset_jaccard(a, b), threshold) else None
    return common / a.total(), common / b.total(), kind
