"""Parsing of HTML form bodies."""

from __future__ import annotations

from urllib.parse import parse_qs

from fastapi import Request

from samestory.web.errors import Refusal

#: Default limits of a form.
MAX_FORM_BYTES, MAX_FORM_FIELDS = 20_000, 20


async def read_form(
    request: Request, max_bytes: int = MAX_FORM_BYTES, max_fields: int = MAX_FORM_FIELDS
) -> dict[str, str]:
    """Parse a form; of a repeated field the first value."""
    return {name: values[0] for name, values in (await read_fields(request, max_bytes, max_fields)).items()}


async def read_fields(
    request: Request, max_bytes: int = MAX_FORM_BYTES, max_fields: int = MAX_FORM_FIELDS
) -> dict[str, list[str]]:
    """Parse a form; each field with all its values."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise Refusal(413, f"the form is longer than {max_bytes:,} bytes")
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=max_fields)
    except ValueError:
        raise Refusal(400, "the body is not a valid form") from None
