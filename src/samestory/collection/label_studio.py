"""Tasks for Label Studio: two texts and a choice, with what was answered, so that a team can move there."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from samestory.collection.answers import Shape, choices
from samestory.collection.collection import Collection
from samestory.collection.talks import EPOCH, talks
from samestory.collection.votes import Said, all_said
from samestory.errors import ParameterError

#: The name of the choice in the labelling interface.
CHOICE = "relation"
#: What else is known of an article.
_FACTS = ("published", "url", "source", "lang")


def interface(collection: Collection) -> str:
    """The labelling interface that goes with the tasks."""
    own = "\n".join(
        f'    <Choice value="{each.replace(">", "&gt;")}"/>' for each in choices(Shape.PAIR, collection.relation)
    )
    return (
        '<View>\n  <View style="display: flex; gap: 2em">\n'
        '    <Text name="left" value="$text_a"/>\n    <Text name="right" value="$text_b"/>\n  </View>\n'
        f'  <Choices name="{CHOICE}" toName="left" choice="single" showInLine="true">\n{own}\n  </Choices>\n</View>\n'
    )


def tasks(collection: Collection) -> Iterator[dict[str, Any]]:
    """The pairs of a collection, each with the answers that hold: of judges, of the second pass, and of the arbiter.

    What Label Studio has no field for stands where it keeps what it does not know: in the `meta` of a result, and of
    a task.
    """
    if collection.shape is not Shape.PAIR:
        raise ParameterError("Label Studio's tasks are of pairs")
    texts, judges = collection.articles(), int(collection.setting("judges") or 2)
    with collection.database.read() as session:
        said, talked = all_said(session), talks(session)
        nominated: dict[int, list[dict[str, Any]]] = {}
        for item_number, name, asked, score in session.rows(
            "SELECT n.item, r.name, r.asked, n.score FROM nominations n JOIN runs r ON r.number = n.run"
        ):
            nominated.setdefault(item_number, []).append({"detector": name, "asked": asked, "score": score})
    for item, answers in said:
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
                "talks": [{"state": t.state, "note": t.note, "at": t.at} for t in talked.get(item.number, [])],
            },
            "annotations": [_annotation(each) for each in answers],
        }


def _annotation(said: Said) -> dict[str, Any]:
    at = (EPOCH + timedelta(microseconds=said.at)).isoformat()
    meta: dict[str, Any] = {"duty": said.duty, "questionable": said.questionable}
    if said.comment:
        meta["text"] = [said.comment]  # where Label Studio has a note of its own
    return {
        "completed_by": {"email": said.assessor},
        "created_at": at,
        "lead_time": said.seconds,
        "was_cancelled": False,
        "result": [
            {
                "type": "choices",
                "from_name": CHOICE,
                "to_name": "left",
                "value": {"choices": [said.answer]},
                "meta": meta,
            }
        ],
    }
