"""Tables, labels, counts, prices of a list, one named item, sections, dialogs, tabs: what the matcher makes of them."""

from __future__ import annotations

import pytest

from refute.evidence import Label, lexical

SUPPORTED, CONTRADICTED, UNKNOWN = Label.SUPPORTED, Label.CONTRADICTED, Label.UNKNOWN

MEMBERS = """https://club.example/members
Members | Club
# Members
| Name | City | Visits | Status |
| Ada Berg | Oslo | 14 | Active |
| Tom Ruiz | Cadiz | 0 | Paused |
| Ada Noor | Lima | 3 | Active |
3 members
"""
PARCEL = """https://post.example/parcel/77
Parcel | Post
# Your parcel
| Weight | 2.5 kg |
| Postage | £4.20 |
| Insurance | Free |
Sender: Lena Voss
Nothing has been paid yet.
"""
ROOMS = """https://stay.example/rooms
Rooms | Stay
# Rooms
- Garden room · 2 beds · £80.00 [1] button "Book"
- Attic room · 1 bed · £55.00 · Reserved [2] button "Book"
- Tower suite · 3 beds · £140.00 · No reviews yet [3] button "Book"
"""
TICKETS = """RootWebArea 'Tickets'
  main
    tablist
      tab 'Open 2' selected=true
      tab 'Solved 9' selected=false
    list
      listitem
        link 'Printer is jammed'
        StaticText '#41 by ivo'
        StaticText '3 replies'
      listitem
        link 'Screen flickers'
        StaticText '#44 by mara'
        StaticText '0 replies'
"""
MANUAL = """RootWebArea 'Kettle manual'
  dialog 'We use cookies'
    button 'Accept all'
  main
    heading 'Kettle manual' level=1
    heading 'Cleaning' level=2
    StaticText 'Rinse the kettle.'
"""
THANKS = """https://shop.example/thanks
Thank you | Shop
# Thank you for your order!
Order number: AB-1207
- Bowl, blue · 3 × $9.00
- Plate · 1 × $4.00
"""


@pytest.mark.parametrize(
    ("page", "statement", "label"),
    [
        (MEMBERS, "Tom Ruiz has no visits", SUPPORTED),
        (MEMBERS, "Ada Berg has more than ten visits", SUPPORTED),
        (MEMBERS, "Ada Noor has at least five visits", CONTRADICTED),
        (MEMBERS, "Tom Ruiz is active", CONTRADICTED),
        (MEMBERS, "Ada has three visits", UNKNOWN),  # there are two of that name
        (MEMBERS, "Three members are listed", SUPPORTED),
        (PARCEL, "The postage is £4.20", SUPPORTED),
        (PARCEL, "The postage is £5.00", CONTRADICTED),
        (PARCEL, "The insurance costs £1.00", CONTRADICTED),
        (PARCEL, "The sender is Lena Voss", SUPPORTED),
        (PARCEL, "The parcel has been paid", CONTRADICTED),
        (PARCEL, "The parcel weighs 4 kg", UNKNOWN),
        (ROOMS, "The cheapest room costs £55.00", SUPPORTED),
        (ROOMS, "The most expensive room costs £80.00", CONTRADICTED),
        (ROOMS, "At least one room costs less than £60", SUPPORTED),
        (ROOMS, "No room under £60 is listed", CONTRADICTED),
        (ROOMS, "The Attic room is reserved", SUPPORTED),
        (ROOMS, "The Garden room is reserved", UNKNOWN),
        (ROOMS, "The Tower suite costs more than £200", CONTRADICTED),
        (ROOMS, "The Garden room has two beds", SUPPORTED),
        (ROOMS, "The Tower suite has two beds", CONTRADICTED),
        (ROOMS, "None of the rooms is reserved", CONTRADICTED),
        (TICKETS, "Ticket #41 has three replies", SUPPORTED),
        (TICKETS, "Ticket #41 has no replies", CONTRADICTED),
        (TICKETS, "Ticket #44 has no replies", SUPPORTED),
        (TICKETS, "Ticket #45 has no replies", UNKNOWN),
        (TICKETS, "The solved tickets are displayed", CONTRADICTED),
        (TICKETS, "All tickets listed are by ivo", CONTRADICTED),
        (MANUAL, "The page has a section about cleaning", SUPPORTED),
        (MANUAL, "The page has a section about warranty", CONTRADICTED),
        (MANUAL, "The page is about the kettle", SUPPORTED),
        (MANUAL, "A cookie dialog covers the page", SUPPORTED),
        (PARCEL, "A cookie dialog covers the page", UNKNOWN),
        (THANKS, "The order has been placed", SUPPORTED),
        (PARCEL, "The order has been placed", UNKNOWN),
        (THANKS, "The order contains three bowls", SUPPORTED),
        (THANKS, "The order contains two bowls", CONTRADICTED),
    ],
)
def test_what_a_page_says_of_a_statement(page: str, statement: str, label: Label) -> None:
    verdict = lexical(page, statement)
    assert verdict.label is label, verdict
    assert set(verdict.lines) <= {line.strip() for line in page.splitlines()}


def test_another_items_number_is_not_taken_for_the_named_ones() -> None:
    verdict = lexical(TICKETS, "Ticket #41 has three replies")
    assert "StaticText '0 replies'" not in verdict.lines
