"""Reading a value wrongly: a report with one digit of a price, a rating or a count changed."""

from __future__ import annotations

import re

_VALUE = re.compile(r"(?<=\$)\d+(?:\.\d+)?|\d+(?:\.\d+)?(?= (?:out of|customers?|pieces?|reviews?|orders?|such)\b)")
"""Values as reports state them; numbers in names of products are left alone."""


def misread(message: str, roll: float) -> str:
    """`message` with a digit of one of its values changed; as it is where it states none. `roll` in [0, 1) decides."""
    values = list(_VALUE.finditer(message))
    if not values:
        return message
    value = values[int(roll * len(values))]
    digits = [at for at in range(*value.span()) if message[at].isdigit()]
    at = digits[int(roll * len(digits))]
    wrong = (int(message[at]) + 1 + int(roll * 8)) % 10
    return f"{message[:at]}{wrong}{message[at + 1 :]}"
