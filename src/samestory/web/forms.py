"""What comes with a form."""

from __future__ import annotations

from urllib.parse import parse_qs

from fastapi import Request

from samestory.web.errors import Refusal

#: A form is no longer than this, in bytes, and has no more fields, if nobody says otherwise.
LONGEST, FIELDS = 20_000, 20


async def read_form(request: Request, longest: int = LONGEST, fields: int = FIELDS) -> dict[str, str]:
    """The fields of a form; of a field that stands in it several times, the first."""
    return {name: values[0] for name, values in (await read_fields(request, longest, fields)).items()}


async def read_fields(request: Request, longest: int = LONGEST, fields: int = FIELDS) -> dict[str, list[str]]:
    """The fields of a form, each with everything that stands in it."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > longest:
            raise Refusal(413, "this form is too long")
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=fields)
    except ValueError:
        raise Refusal(400, "this is no form") from None
