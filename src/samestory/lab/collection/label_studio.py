"""Export to Label Studio: tasks of two texts and a choice, with the existing answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from samestory.errors import ParameterError
from samestory.lab.collection.answers import Shape, answer_choices
from samestory.lab.collection.collection import Collection
from samestory.lab.collection.discussion import EPOCH, discussion_notes
from samestory.lab.collection.votes import Judgement, items_with_judgements

#: Name of the choice in the labelling interface.
CHOICE = "relation"
#: Optional fields of an article.
_FACTS = ("published", "url", "source", "lang")


def interface(collection: Collection) -> str:
    """Return the labelling interface (XML) for the tasks."""
    items = "\n".join(
        f'    <Choice value="{each.replace(">", "&gt;")}"/>' for each in answer_choices(Shape.PAIR, collection.relation)
    )
    return (
        '<View>\n  <View style="display: flex; gap: 2em">\n'
        '    <Text name="left" value="$text_a"/>\n    <Text name="right" value="$text_b"/>\n  </View>\n'
        f'  <Choices name="{CHOICE}" toName="left" choice="single" showInLine="true">\n{items}\n  </Choices>\n</View>\n'
    )


def tasks(collection: Collection) -> Iterator[dict[str, Any]]:
    """Yield the pairs of a collection, each with the current answers of judges, second pass and arbiter.

    Data without a field in Label Studio is in the `meta` of a result or of a task, which Label Studio preserves.
    """
    if collection.shape is not Shape.PAIR:
        raise ParameterError("Label Studio tasks require a collection of pairs")
    texts, judges = collection.articles(), int(collection.setting("judges") or 2)
    with collection.database.read() as session:
        judged, notes = items_with_judgements(session), discussion_notes(session)
        nominated: dict[int, list[dict[str, Any]]] = {}
        for item_number, name, asked, score in session.rows(
            "SELECT n.item, r.name, r.asked, n.score FROM nominations n JOIN runs r ON r.number = n.run"
        ):
            nominated.setdefault(item_number, []).append({"detector": name, "asked": asked, "score": score})
    for item, answers in judged:
        a, b = (texts[id] for id in item.articles)
        data = {"a": a.id, "b": b.id, "title_a": a.title, "title_b": b.title, "text_a": a.text, "text_b": b.text}
        for side, article in (("a", a), ("b", b)):
            data |= {f"{role}_{side}": getattr(article, role) for role in _FACTS if getattr(article, role) is not None}
        yield {
            "id": item.number,
            "data": data,
            "meta": {
                "group": item.part,
                "judges": judges,
                "nominated": nominated.get(item.number, []),
                "talks": [{"state": t.state, "note": t.note, "at": t.at} for t in notes.get(item.number, [])],
            },
            "annotations": [_annotation(each) for each in answers],
        }


def _annotation(judgement: Judgement) -> dict[str, Any]:
    at = (EPOCH + timedelta(microseconds=judgement.at)).isoformat()
    meta: dict[str, Any] = {"duty": judgement.duty, "questionable": judgement.questionable}
    if judgement.comment:
        meta["text"] = [judgement.comment]  # the field that Label Studio uses for notes
    return {
        "completed_by": {"email": judgement.assessor},
        "created_at": at,
        "lead_time": judgement.seconds,
        "was_cancelled": False,
        "result": [
            {
                "type": "choices",
                "from_name": CHOICE,
                "to_name": "left",
                "value": {"choices": [judgement.answer]},
                "meta": meta,
            }
        ],
    }
