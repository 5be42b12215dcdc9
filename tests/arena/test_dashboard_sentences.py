"""The staff's procedures: what is said is read back, and hands find their way in the dashboard's tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refute.arena.shop import _procedures as storefront
from refute.arena.shop._simulated import ShopHands
from refute.arena.shop.dashboard import STAFF_PROCEDURES
from refute.arena.shop.dashboard import _procedures as procedures
from refute.arena.shop.dashboard._page import StaffPage
from refute.browser import Click, Element, Fill, Observation, Scroll, Select

TEXT = st.text(max_size=40)
NUMBER = st.integers(min_value=0, max_value=999)
PROCEDURES = st.one_of(
    st.builds(procedures.OpenGood, TEXT),
    st.builds(procedures.OpenGoodByUpc, TEXT, TEXT),
    st.builds(procedures.SetStock, TEXT, NUMBER),
    st.builds(procedures.SetPrice, TEXT, TEXT),
    st.builds(procedures.SetThreshold, TEXT, NUMBER),
    st.builds(procedures.ListOrders, TEXT),
    st.builds(procedures.OpenOrder, TEXT),
    st.builds(procedures.OpenListedOrder, TEXT),
    st.builds(procedures.SetStatus, TEXT, TEXT),
    st.builds(procedures.SetListedStatus, TEXT, TEXT),
    st.builds(procedures.AddNote, TEXT, TEXT),
    st.builds(procedures.ListReviews, TEXT),
    st.builds(procedures.DecideInList, TEXT, TEXT, TEXT, TEXT),
    st.builds(procedures.DecideOnPage, TEXT, TEXT, TEXT, TEXT),
    st.builds(procedures.DeleteReview, TEXT, TEXT, TEXT),
    st.builds(procedures.MakeVoucher, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT),
)
PLAIN = st.text(alphabet=st.characters(exclude_characters='"\\'), max_size=30)
HANDS = ShopHands()


class TestSentences:
    @given(PROCEDURES, PLAIN, PLAIN)
    def test_a_sentence_is_read_back_amid_other_text(
        self, procedure: storefront.ShopProcedure, before: str, after: str
    ) -> None:
        assert HANDS.read(f"{before} {procedure.sentence()} {after}") == procedure

    @given(PROCEDURES)
    def test_a_sentence_inside_a_report_is_not_an_order(self, procedure: storefront.ShopProcedure) -> None:
        report = storefront.Report(message=procedure.sentence())
        assert HANDS.read(report.sentence()) == report

    def test_hands_of_the_shop_read_both_vocabularies(self) -> None:
        assert HANDS.read(storefront.Search("tripod").sentence()) == storefront.Search("tripod")
        forms = [kind.form for kind in (*storefront.PROCEDURES, *STAFF_PROCEDURES)]
        assert len(set(forms)) == len(forms)


def page(url: str, text: str, *elements: Element, title: str = "", y: int = 0, end: int = 0) -> Observation:
    return Observation(url=f"http://shop{url}", title=title, text=text, elements=elements, scroll_y=y, scroll_max=end)


STOCK = page(
    "/dashboard/catalogue/products/5/",
    "| Partner | SKU | Num in stock | Num allocated | Low stock threshold | Currency | Price | Delete?\n"
    "| [1] combobox (options: --------- | *Juniper Lane warehouse) (covered by span)\n"
    '[2] combobox "Juniper Lane warehouse" (collapsed, popup):\n'
    '| [3] textbox (value="SKU-5") | [4] spinbutton (value="50", range=0..-) | - | [5] spinbutton (value="")'
    ' | [6] textbox (value="USD") | [7] spinbutton (value="82.49") | [8] checkbox\n'
    '| [9] combobox (options: *--------- | Juniper Lane warehouse)\n| [10] textbox | [11] spinbutton',
    *(
        Element(id=i, role=role, value=value)
        for i, (role, value) in enumerate(
            (
                ("combobox", None), ("combobox", None), ("textbox", "SKU-5"), ("spinbutton", "50"),
                ("spinbutton", ""), ("textbox", "USD"), ("spinbutton", "82.49"), ("checkbox", None),
            ),
            start=1,
        )
    ),
    Element(id=20, role="button", name="Save"),
    Element(id=21, role="button", name="Save and continue editing"),
    title="Velo Studio Headphones - Green | Products | Dashboard",
)  # fmt: skip


class TestMoves:
    def test_a_field_without_a_name_is_found_by_its_column(self) -> None:
        shown = StaffPage(STOCK)
        found = [shown.in_column(name, beside="SKU") for name in ("Num in stock", "Low stock threshold", "Price")]
        assert [element and element.id for element in found] == [4, 5, 7]
        assert shown.in_column("Num allocated", beside="SKU") is None

    def test_a_price_is_filled_once_and_then_saved(self) -> None:
        step = procedures.SetPrice("Velo Studio Headphones - Green", "79.00")
        assert step.next_move(STOCK, ()).action == Fill(target=7, text="79.00")
        same = procedures.SetPrice("Velo Studio Headphones - Green", "82.490")
        move = same.next_move(STOCK, ())
        assert (move.action, move.completes) == (Click(target=20), True)

    def test_the_form_of_another_product_is_left(self) -> None:
        move = procedures.SetStock("Velo Studio Headphones", 3).next_move(STOCK, ())
        assert not isinstance(move.action, Fill)

    def test_of_two_orders_the_right_one_is_ticked(self) -> None:
        rows = "\n".join(
            f'| [{i}] checkbox | [{i + 1}] link "{n}" | $1.00 | Pending' for i, n in ((1, 100030), (3, 100029))
        )
        boxes = [Element(id=i, role="checkbox", states=("unchecked",)) for i in (1, 3)]
        links = [Element(id=i, role="link", name=n) for i, n in ((2, "100030"), (4, "100029"))]
        listed = page("/dashboard/orders/", rows, *boxes, *links)
        step = procedures.SetListedStatus("100029", "Being processed")
        assert step.next_move(listed, ()).action == Click(target=3)

    def test_reviews_of_one_headline_are_told_apart_by_product_and_customer(self) -> None:
        rows = "\n".join(
            f'| [{i}] checkbox | [{i + 1}] link "Love it" | [{i + 2}] link "{product}" | [{i + 3}] link "{who}"'
            for i, product, who in ((1, "Tent - Red", "Mia Novak"), (5, "Tent - Red", "Ava Santos"))
        )
        boxes = [Element(id=i, role="checkbox", states=("unchecked",)) for i in (1, 5)]
        listed = page("/dashboard/reviews/?keyword=Love+it", rows, *boxes)
        step = procedures.DecideInList("Love it", "Tent - Red", "Ava Santos", "Approved")
        assert step.next_move(listed, ()).action == Click(target=5)

    def test_a_status_that_the_order_cannot_take_is_not_sent(self) -> None:
        choice = Element(id=1, role="combobox", name="New order status", value="Complete", options=("Complete",))
        shown = page("/dashboard/orders/100030/", '[1] combobox "New order status"', choice)
        assert procedures.SetStatus("100030", "Pending").next_move(shown, ()).action is None

    def test_a_status_is_chosen_before_it_is_sent(self) -> None:
        options = ("Being processed", "Cancelled")
        choice = Element(id=1, role="combobox", name="New order status", value="Being processed", options=options)
        button = Element(id=2, role="button", name="Change status")
        shown = page("/dashboard/orders/100030/", "", choice, button)
        step = procedures.SetStatus("100030", "Cancelled")
        assert step.next_move(shown, ()).action == Select(target=1, option="Cancelled")
        chosen = page("/dashboard/orders/100030/", "", choice.model_copy(update={"value": "Cancelled"}), button)
        assert step.next_move(chosen, ()).action == Click(target=2)

    def test_the_way_starts_at_the_top_of_any_page(self) -> None:
        down = page("/dashboard/reports/", "", y=900, end=900)
        assert procedures.OpenOrder("100030").next_move(down, ()).action == Scroll(direction="up")
        menu = Element(id=7, role="button", name="Fulfilment")
        top = page("/dashboard/reports/", "", menu)
        assert procedures.OpenOrder("100030").next_move(top, ()).action == Click(target=7)
