"""What a request cost, by the price table of the `genai-prices` library. An unknown price is None, never 0."""

from __future__ import annotations

from importlib.metadata import version

from refute.llm._model import Usage

_NOTHING = Usage()


def price_table() -> str:
    """Name and version of the price table; to be shown wherever money is."""
    return f"genai-prices {version('genai-prices')}"


def price_known(model: str, address: str) -> bool:
    """Whether the table has a price for `model` at the provider that lives at `address`."""
    return dollars(model, address, _NOTHING) is not None


def dollars(model: str, address: str, usage: Usage) -> float | None:
    """The price of `usage` in US dollars, or None when the table does not know the model at this address.

    The address decides, and not the model's name alone: a server of one's own that calls its model ``gpt-5`` does not
    charge what OpenAI charges.
    """
    from genai_prices import Usage as Amounts
    from genai_prices import calc_price  # the table is large: only those who pay load it

    amounts = Amounts(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        return float(calc_price(amounts, model, provider_api_url=address).total_price)
    except (LookupError, ValueError):  # not in the table; or counts that contradict each other
        return None
