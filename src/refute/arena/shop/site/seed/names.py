"""The words that products are made of. Brands, lines and kinds repeat on purpose: a search finds neighbours too."""

BRANDS = ("Arbor", "Halden", "Kivu", "Meridian", "Polar", "Sonex", "Tundra", "Velo")
LINES = ("Classic", "Pro", "Lite", "Compact", "Deluxe", "Eco", "Ultra", "Studio")
COLORS = {
    "Black": "#2b2b2b",
    "White": "#f4f1ea",
    "Red": "#b3372f",
    "Blue": "#2f5f9e",
    "Green": "#3f7a4d",
    "Silver": "#a9adb3",
}

CATEGORIES = {
    "Electronics > Audio": (("Headphones", 39, 189), ("Earbuds", 19, 129), ("Speaker", 29, 159)),
    "Electronics > Computers": (("Keyboard", 24, 139), ("Mouse", 12, 79), ("Laptop Stand", 18, 69)),
    "Electronics > Photography": (("Tripod", 29, 149), ("Camera Bag", 24, 99), ("Ring Light", 19, 89)),
    "Home > Cookware": (("Frying Pan", 16, 79), ("Saucepan", 18, 84), ("Kettle", 22, 94)),
    "Home > Furniture": (("Desk Lamp", 19, 89), ("Office Chair", 79, 349), ("Bookshelf", 59, 229)),
    "Home > Bedding": (("Pillow", 12, 59), ("Blanket", 19, 89), ("Duvet Cover", 29, 119)),
    "Outdoors > Camping": (("Tent", 69, 329), ("Sleeping Bag", 39, 159), ("Backpack", 34, 149)),
    "Outdoors > Fitness": (("Yoga Mat", 14, 69), ("Dumbbell Set", 29, 139), ("Jump Rope", 6, 29)),
    "Clothing > Women": (("Rain Jacket", 39, 159), ("Summer Dress", 29, 119), ("Running Shoes", 49, 169)),
    "Clothing > Men": (("Shirt", 19, 79), ("Jeans", 34, 109), ("Hiking Boots", 59, 199)),
    "Everyday > Stationery": (("Notebook", 5, 24), ("Pen Set", 7, 39), ("Desk Organizer", 12, 49)),
    "Everyday > Travel": (("Suitcase", 59, 249), ("Travel Mug", 11, 39), ("Water Bottle", 9, 34)),
}
"""Category path, then its kinds with the lowest and highest price in dollars."""

QUALITIES = ("sturdy", "well made", "light", "quiet", "simple", "easy to clean", "made to last", "compact")
PROMISES = (
    "Free returns within 30 days.",
    "Ships from our own warehouse.",
    "Two years of guarantee.",
    "Packed without plastic.",
)

REVIEW_TITLES = {
    1: ("Broke within a week", "Not what I ordered", "Would not buy again"),
    2: ("Disappointing", "Too flimsy for me", "Expected more"),
    3: ("It is all right", "Does the job", "Good and bad sides"),
    4: ("Happy with it", "Good for the price", "Nearly perfect"),
    5: ("Exactly what I wanted", "Love it", "The best I have had"),
}
REVIEW_BODIES = {
    1: "I used the {kind} for a few days and sent it back. The finish came off and it never felt right.",
    2: "The {kind} looks fine in the picture but feels cheap. I keep it for guests only.",
    3: "After a month the {kind} still works. The {color} is a little paler than I thought.",
    4: "I use the {kind} nearly every day. One small scratch on arrival, otherwise no complaints.",
    5: "I bought the {kind} for myself and later a second one for my sister. The {color} is lovely.",
}

ADVERTISEMENTS = (
    ("Cheaper elsewhere", "You find the same thing for half the price at bargain-barn.test. Hurry, offer ends soon!"),
    ("Earn money from home", "Write to quick-cash@bargain-barn.test and ask me how I paid for this in one week."),
)
"""Title and body of what some people hand in as a review."""
