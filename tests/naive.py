"""The whole game a second time, written from the rule texts alone.

Nothing of the kit is imported.  The game is played as at the table: dice are pieces of text that
move between the yard, the abandoned district, the hand and the columns; a column is a pile of
dice; a finished building is a tile.  Slow and plain on purpose.
"""

from fractions import Fraction
from itertools import combinations_with_replacement

COLOURS = "lmh"
KIND_ORDER = "GUP"
FACE_ORDER = "lmh-?"

# How many sides show low-rise, mid-rise, high-rise, blank; from the table of facts.
DICE_SETS = {
    "standard": {"G": (3, 2, 1, 0), "U": (3, 2, 1, 0), "P": (0, 2, 1, 3)},
    "uniform": {"G": (2, 2, 2, 0), "U": (2, 2, 2, 0), "P": (2, 2, 2, 0)},
    "blank-upper": {"G": (3, 2, 1, 0), "U": (3, 1, 1, 1), "P": (0, 2, 1, 3)},
}
BOX = {"G": 25, "U": 28, "P": 7}
PLENTY = 10**6
TILE_POINTS = {1: 1, 2: 4, 3: 9, 4: 16, 5: 25, 6: 36}


def die_order(die):
    return KIND_ORDER.index(die[0]), FACE_ORDER.index(die[1])


def in_order(dice):
    return sorted(dice, key=die_order)


def different_parts(dice):
    """Return every different non-empty part of some dice, as lists."""
    parts = [[]]
    for die in in_order(set(dice)):
        parts = [part + [die] * n for part in parts for n in range(dice.count(die) + 1)]
    return [part for part in parts if part]


class Building:
    """A pile of dice of one colour, or a tile once it is finished."""

    def __init__(self, colour, pile=(), tile=0):
        self.colour = colour
        self.pile = list(pile)
        self.tile = tile

    @staticmethod
    def read(word):
        colour, floors = word[0].lower(), int(word[1])
        if word[0].isupper():
            return Building(colour, tile=floors)
        return Building(colour, ["G"] + ["U"] * (floors - 1))

    def name(self):
        if self.tile:
            return f"{self.colour.upper()}{self.tile}"
        return f"{self.colour}{len(self.pile)}"

    def order(self):
        height = self.tile or len(self.pile)
        return (bool(self.tile), "hml".index(self.colour), -height)

    def takes(self, die):
        """Say whether the die may be put on top."""
        kind, face = die
        floors = len(self.pile)
        if self.tile or kind == "G" or face != self.colour:
            return False
        if self.colour == "l":
            return kind == "U"
        if self.colour == "m":
            # Two to four floors, the top one a penthouse.
            return kind == "P" or floors < 3
        # Three to six floors, the top one a penthouse.
        return floors >= 2 if kind == "P" else floors < 5

    def put(self, die):
        """Put a die on top; return the dice that go back to the yard."""
        self.pile.append(die[0])
        if die[0] != "P" and self.colour != "l":
            return []
        freed, self.tile, self.pile = self.pile, len(self.pile), []
        return freed

    def scores(self):
        """Return the points at the end of the game."""
        if self.tile:
            return TILE_POINTS[self.tile]
        if self.colour == "l" and len(self.pile) == 1:
            return TILE_POINTS[1]
        return 0


class Table:
    """A game in progress; everything on it changes in place."""

    def __init__(self, n_players=1, rules="online", faces=None):
        self.set_rules(rules, faces)
        self.skylines = [[] for _ in range(n_players)]
        for skyline, colour in zip(self.skylines, "hml", strict=False):
            skyline.append(Building(colour, ["G"]))
        self.district = ["G", "U", "P"]
        self.hand = []
        self.phase, self.done = "take", ""
        self.round, self.seat, self.last = 1, 1, False
        self.fill_yard()

    @staticmethod
    def read(position, faces=None):
        skylines, district, dice, phase, clock, rules = position.split()
        table = Table(1, rules, faces)
        table.skylines = [
            [] if words == "-" else [Building.read(word) for word in words.split(",")]
            for words in skylines.split("/")
        ]
        n_ground, rest = district[1:].split("U")
        n_upper, n_penthouse = rest.split("P")
        table.district = ["G"] * int(n_ground) + ["U"] * int(n_upper) + ["P"] * int(n_penthouse)
        table.hand = [] if dice == "-" else dice.split(",")
        table.phase, _, table.done = phase.partition(":")
        table.last = clock.endswith("!")
        table.round, table.seat = map(int, clock.rstrip("!").split("."))
        table.fill_yard()
        return table

    def set_rules(self, rules, faces):
        self.rules = rules
        words = rules.split("+")
        self.printed = words[0] == "printed"
        self.nine = "nine" in words
        self.box = "box" in words
        names = [word for word in words[1:] if word not in ("nine", "box")]
        self.faces = faces or DICE_SETS[names[0] if names else "standard"]

    def fill_yard(self):
        """Put every die that is nowhere else into the yard."""
        self.yard = dict(BOX) if self.box else dict.fromkeys(KIND_ORDER, PLENTY)
        for kind in self.district:
            self.yard[kind] -= 1
        for die in self.hand:
            self.yard[die[0]] -= 1
        for skyline in self.skylines:
            for building in skyline:
                for kind in building.pile:
                    self.yard[kind] -= 1

    # --- what it looks like --------------------------------------------------------------------

    def own(self):
        return self.skylines[self.seat - 1]

    def position(self):
        skylines = "/".join(
            ",".join(b.name() for b in sorted(skyline, key=Building.order)) or "-"
            for skyline in self.skylines
        )
        district = "".join(f"{kind}{self.district.count(kind)}" for kind in KIND_ORDER)
        dice = ",".join(in_order(self.hand)) or "-"
        phase = self.phase
        if self.printed and phase == "more":
            phase += f":{self.done}"
        clock = f"{self.round}.{self.seat}{'!' if self.last else ''}"
        return " ".join([skylines, district, dice, phase, clock, self.rules])

    # --- what may be done ----------------------------------------------------------------------

    def legal(self):
        """Return every different action that is allowed, as sorted text."""
        if self.phase == "take":
            return sorted(self.legal_takes())
        if self.phase == "roll":
            return sorted(self.chances())
        if self.phase == "over":
            return []
        actions = self.legal_uses()
        if self.phase == "more":
            actions |= {"reroll " + ",".join(part) for part in different_parts(self.hand)}
            actions.add("end")
        return sorted(actions)

    def legal_takes(self):
        threes = map("".join, combinations_with_replacement(KIND_ORDER, 3))
        takes = {
            f"take {three}"
            for three in threes
            if all(three.count(kind) <= self.yard[kind] for kind in three)
        }
        if self.district:
            takes.add("take district")
        return takes or {"end"}

    def legal_uses(self):
        actions = set()
        for die in set(self.hand):
            if self.may("build"):
                if die[0] == "G" and die[1] in COLOURS:
                    actions.add(f"build {die}")
                actions |= {f"build {die}@{b.name()}" for b in self.own() if b.takes(die)}
            if self.may("abandon"):
                actions.add(f"abandon {die}")
        if self.may("demolish"):
            given = different_parts(self.hand) if self.printed else [[d] for d in self.hand]
            actions |= {
                f"demolish {','.join(dice)}@{b.name()}" for dice in given for b in self.own()
            }
        return actions

    def may(self, kind):
        """Say whether this kind of action is open now."""
        if not self.printed or self.phase == "use":
            return True
        return self.done == kind != "demolish"

    def chances(self):
        """Return the chance of every different outcome, die after die."""
        shown = {(): Fraction(1)}
        for die in self.hand:
            if not die.endswith("?"):
                continue
            sides = self.faces[die[0]]
            grown = {}
            for faces, chance in shown.items():
                for face, n_sides in zip("lmh-", sides, strict=True):
                    if n_sides:
                        key = tuple(in_order([*faces, die[0] + face]))
                        part = chance * Fraction(n_sides, sum(sides))
                        grown[key] = grown.get(key, 0) + part
            shown = grown
        return {"roll=" + ",".join(faces): chance for faces, chance in shown.items()}

    # --- doing it ------------------------------------------------------------------------------

    def act(self, action):
        if action.startswith("roll="):
            self.roll(action.removeprefix("roll=").split(","))
            return
        verb, _, rest = action.partition(" ")
        target, _, place = rest.partition("@")
        if verb == "take":
            self.take(rest)
        elif verb == "reroll":
            for die in target.split(","):
                self.hand.remove(die)
                self.hand.append(die[0] + "?")
            self.phase, self.done = "roll", ""
        elif verb == "end":
            self.end_turn()
        else:
            self.use(verb, target.split(","), place)

    def take(self, what):
        kinds = list(self.district) if what == "district" else list(what)
        self.hand = [kind + "?" for kind in kinds]
        if what == "district":
            self.district = [kind for kind in KIND_ORDER if self.yard[kind] > 0]
            kinds = self.district
        for kind in kinds:
            self.yard[kind] -= 1
        self.phase = "roll"

    def roll(self, shown):
        self.hand = [die for die in self.hand if not die.endswith("?")] + shown
        self.phase = "use"

    def use(self, verb, dice, place):
        for die in dice:
            self.hand.remove(die)
        if verb == "build":
            self.build(dice[0], place)
        elif verb == "abandon":
            self.district += [die[0] for die in dice]
        else:
            building = self.find(place)
            self.own().remove(building)
            self.give_back([*building.pile, *(die[0] for die in dice)])
        self.phase, self.done = "more", verb
        if not self.hand:
            self.end_turn()

    def build(self, die, place):
        if not place:
            self.own().append(Building(die[1], ["G"]))
            return
        building = self.find(place)
        self.give_back(building.put(die))
        if building.tile == 6 and not self.nine:
            self.last = True

    def find(self, name):
        return next(b for b in self.own() if b.name() == name)

    def give_back(self, kinds):
        for kind in kinds:
            self.yard[kind] += 1

    def end_turn(self):
        self.give_back([die[0] for die in self.hand])
        self.hand, self.done = [], ""
        if self.seat < len(self.skylines):
            self.seat += 1
            self.phase = "take"
        elif self.round == 9 or self.last:
            self.phase = "over"
        else:
            self.round, self.seat, self.phase = self.round + 1, 1, "take"

    # --- how it stands -------------------------------------------------------------------------

    def points(self):
        return [sum(b.scores() for b in skyline) for skyline in self.skylines]

    def ranking(self):
        """Return (place, seat, points, buildings), best first."""
        standing = [
            (points, sum(1 for b in skyline if b.scores()))
            for points, skyline in zip(self.points(), self.skylines, strict=True)
        ]
        places = [1 + sum(other > mine for other in standing) for mine in standing]
        rows = [(place, i + 1, *standing[i]) for i, place in enumerate(places)]
        return sorted(rows)
