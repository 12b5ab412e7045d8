"""Plays games of CoTuLenh that `selfplay convert --format pgn` wrote by rules of its own, written from
docs/games/cotulenh.md and docs/cotulenh-pgn.md alone, and compares every position at the start of a turn with that of the dataset.

    python cotulenhpgn.py EXPORT DIR...
"""

import itertools
import json
import re
import subprocess
import sys

FILES, RANKS = "abcdefghijk", 12
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
ALL = STRAIGHT + [(1, 1), (1, -1), (-1, 1), (-1, -1)]
START = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1"

# letter: moves, captures, directions
PIECES = {"C": (99, 1, 4), "I": (1, 1, 4), "T": (2, 2, 4), "M": (1, 1, 8), "E": (1, 1, 4), "A": (3, 3, 8),
          "G": (1, 1, 4), "S": (2, 2, 8), "F": (4, 4, 8), "N": (4, 4, 8), "H": (0, 0, 4)}
CARRIES = {"N": ["F", "CITM"], "F": ["T", "CIM"], "T": ["CIM"], "E": ["AGS"], "H": ["C"]}
GUARDS = {"G": 1, "N": 1, "S": 2}


def stack_of(letters):
    """Returns the letters of a stack with its lead first, or None if they do not form one."""
    if len(letters) == 1:
        return list(letters)
    if len(set(letters)) < len(letters):
        return None
    for lead in letters:
        rest = [c for c in letters if c != lead]
        slots = CARRIES.get(lead, [])
        for order in itertools.product(range(len(slots)), repeat=len(rest)):
            if len(set(order)) == len(rest) and all(c in slots[i] for c, i in zip(rest, order)):
                return [lead] + [c for _, c in sorted(zip(order, rest))]
    return None


class Illegal(Exception):
    pass


class Board:
    """A position at the start of a turn. A stack is its side and its members: letter -> heroic, the lead first."""

    def __init__(self, text):
        placement, side, _, _, half, full = text.split()[:6]
        self.cells, self.side, self.half, self.full = {}, "rb".index(side), int(half), int(full)
        for y, row in enumerate(reversed(placement.split("/"))):
            x = 0
            for token in re.findall(r"1[01]|\d|\([^)]*\)|\+?[a-zA-Z]", row):
                if token.isdigit():
                    x += int(token)
                    continue
                pieces = re.findall(r"\+?[a-zA-Z]", token)
                self.cells[x, y] = (int(pieces[0][-1].islower()), {p[-1].upper(): p[0] == "+" for p in pieces})
                x += 1

    def copy(self):
        other = Board.__new__(Board)
        other.cells = {at: (side, dict(members)) for at, (side, members) in self.cells.items()}
        other.side, other.half, other.full = self.side, self.half, self.full
        return other

    def text(self):
        rows = []
        for y in reversed(range(RANKS)):
            row, empty = "", 0
            for x in range(len(FILES)):
                if (x, y) not in self.cells:
                    empty += 1
                    continue
                side, members = self.cells[x, y]
                word = "".join("+" * hero + letter for letter, hero in members.items())
                word = f"({word})" if len(members) > 1 else word
                row += (str(empty) if empty else "") + (word.lower() if side else word)
                empty = 0
            rows.append(row + (str(empty) if empty else ""))
        return f"{'/'.join(rows)} {'rb'[self.side]} - - {self.half} {self.full}"


def inside(at):
    return 0 <= at[0] < len(FILES) and 0 <= at[1] < RANKS


def stands(lead, at):
    """Reports whether a stack with this lead may stand on a cell."""
    x, y = at
    mixed = x == 2 or (x in (3, 4) and y in (5, 6))
    return x < 2 or mixed if lead == "N" else x >= 2


def lead_of(members):
    return next(iter(members))


def name(at):
    return FILES[at[0]] + str(at[1] + 1)


def cell(text):
    return FILES.index(text[0]), int(text[1:]) - 1


def commander(cells, side):
    return next((at for at, (s, members) in cells.items() if s == side and "C" in members), None)


def guards_of(cells, side, at):
    """Returns the stacks of a side that guard a cell against air forces."""
    found = set()
    for q, (s, members) in cells.items():
        lead = lead_of(members)
        if s == side and lead in GUARDS:
            r = GUARDS[lead] + members[lead]
            if (q[0] - at[0]) ** 2 + (q[1] - at[1]) ** 2 <= r * r:
                found.add(q)
    return found


def flight(cells, side, at, step, n):
    """Returns how an air force of a side fares on a line of n cells: safe, inside a zone, or down."""
    seen, left = set(), False
    for i in range(1, n + 1):
        guards = guards_of(cells, 1 - side, (at[0] + i * step[0], at[1] + i * step[1]))
        seen |= guards
        left = left or bool(seen) and not guards
        if len(seen) > 1 or left:
            return "down"
    return "inside" if seen else "safe"


def line(a, b):
    """Returns direction and distance between two cells in line, or None."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    n = max(abs(dx), abs(dy))
    if n == 0 or (dx and dy and abs(dx) != abs(dy)):
        return None
    return (dx // n, dy // n), n


def between(a, step, n):
    return [(a[0] + i * step[0], a[1] + i * step[1]) for i in range(1, n)]


def ranges(letter, hero):
    moves, captures, directions = PIECES[letter]
    return (moves + hero, captures + hero, 8) if hero else (moves, captures, directions)


def crosses(letter, a, b, step):
    """Reports whether terrain stops a lead that enters b on its way from a."""
    if letter == "F":
        return False
    if not stands(letter, b):
        return True
    if letter in "AGS":
        bank = [at[1] >= 6 if at[0] >= 2 else None for at in (a, b)]
        return None not in bank and bank[0] != bank[1] and not (step[0] == 0 and a[0] in (5, 7))
    if letter == "N":
        before = (b[0] - step[0], b[1] - step[1])
        return {before, b} in ({(2, 4), (3, 5)}, {(2, 7), (3, 6)})
    return False


def sign(cells, side, members, a, b, deploys):
    """Returns the signs of what the members on a may do on b, apart from the safety of the commander."""
    way = line(a, b)
    lead = lead_of(members)
    hero = members[lead]
    moves, captures, directions = ranges(lead, hero)
    if way is None or not inside(b):
        return []
    step, n = way
    diagonal = step[0] != 0 and step[1] != 0
    if diagonal and directions == 4:
        return []
    if lead == "S" and diagonal:
        moves, captures = moves - 1, captures - 1
    path = between(a, step, n)
    blocked = [q for q in path if q in cells and (lead != "N" or lead_of(cells[q][1]) == "N")]
    air = flight(cells, side, a, step, n) if lead == "F" and not hero else "safe"
    free = lead == "F" or not blocked
    terrain = any(crosses(lead, a, q, step) for q in path + [b])
    if lead == "C" and any(q not in cells and faces(cells, side, a, q) for q in path):
        return []
    if air == "down":
        return []
    other = cells.get(b)
    if other is None:
        if lead == "C" and faces(cells, side, a, b):
            return []
        return [""] if n <= moves and free and not terrain and air == "safe" and stands(lead, b) else []
    if other[0] == side:
        both = stack_of(list(members) + list(other[1]))
        return ["&"] if both and n <= moves and free and not terrain and stands(both[0], b) else []
    if lead == "C":
        captures = 1
        if diagonal and lead_of(other[1]) == "C":
            return []
    if lead == "N" and lead_of(other[1]) != "N":
        captures -= 1
    if n > captures or (lead not in "ASFN" and blocked):
        return []
    if air == "inside":
        return ["@"]
    if not stands(lead, b):
        return ["_"]
    return ["x", "_"] if lead == "F" and not deploys else ["x"]


def faces(cells, side, a, q):
    """Reports whether the commander that leaves a would face the enemy one on q."""
    enemy = commander(cells, 1 - side)
    way = enemy and line(q, enemy)
    if not way or (way[0][0] and way[0][1]):
        return False
    return all(p not in cells or p == a for p in between(q, *way))


def attackers(cells, target, by):
    """Yields cell and letter of the pieces of a side that attack a cell."""
    navy = target in cells and lead_of(cells[target][1]) == "N"
    for a, (side, members) in list(cells.items()):
        way = line(a, target)
        if side != by or way is None:
            continue
        step, n = way
        blocked = any(q in cells for q in between(a, step, n))
        for letter, hero in members.items():
            _, captures, directions = ranges(letter, hero)
            if letter == "N" and not navy:
                captures -= 1
            if n > captures or (step[0] and step[1] and directions == 4) or (blocked and letter not in "ASFN"):
                continue
            if letter == "F" and not hero and flight(cells, by, a, step, n) == "down":
                continue
            yield a, letter


def in_danger(cells, side):
    own, enemy = commander(cells, side), commander(cells, 1 - side)
    if own is None or any(attackers(cells, own, 1 - side)):
        return True
    way = enemy and line(own, enemy)
    return bool(way) and not (way[0][0] and way[0][1]) and not any(q in cells for q in between(own, *way))


def put(cells, at, side, members):
    """Puts members on a cell, with those that stand there."""
    both = dict(members)
    both.update(cells[at][1] if at in cells else {})
    cells[at] = (side, {letter: both[letter] for letter in stack_of(list(both))})


def play(cells, side, a, letters, mark, b):
    """Plays a step and its promotions. It returns whether it captured."""
    members = {letter: cells[a][1][letter] for letter in letters}
    captured = mark in ("x", "_", "@") and mark != ""
    if mark != "_":
        rest = {letter: hero for letter, hero in cells[a][1].items() if letter not in members}
        del cells[a]
        if rest:
            put(cells, a, side, rest)
    if captured:
        del cells[b]
    if mark in ("", "x", "&"):
        put(cells, b, side, members)
    enemy = commander(cells, 1 - side)
    for at, letter in list(attackers(cells, enemy, side)) if enemy else []:
        cells[at][1][letter] = True
    for s in (0, 1):
        guards = [members for q, members in cells.values() if q == s and lead_of(members) != "C"]
        if len(guards) == 1 and len(guards[0]) == 1:
            guards[0][lead_of(guards[0])] = True
    return captured


MEMBERS = r"\((?:\+?[A-Z])+\)|\+?[A-Z]"
STEP = re.compile(rf"^({MEMBERS})([a-k]?)(1[0-2]|[1-9])?(>?)([x_@&]?)([a-k]\d+)$")


def members_of(text):
    return {p[-1]: p[0] == "+" for p in re.findall(r"\+?[A-Z]", text or "")}


def whole(board, word):
    """Plays the word of a turn of one step."""
    pieces, file, rank, _, mark, to = STEP.match(word).groups()
    members, b = members_of(pieces), cell(to)
    found = []
    for a, (side, stack) in board.cells.items():
        at = name(a)
        if side != board.side or stack != members or (file and at[0] != file):
            continue
        if rank and (at[1:] != rank if file or rank != "1" else at[1] != "1"):
            continue
        if mark not in sign(board.cells, side, stack, a, b, False):
            continue
        after = board.copy()
        captured = play(after.cells, side, a, list(stack), mark, b)
        if not in_danger(after.cells, side):
            found.append((after, captured))
    if len(found) != 1:
        raise Illegal(f"{word} fits {len(found)} turns")
    return found[0]


def orders(steps, begun=()):
    """Yields the orders of single steps that a word leaves open: letter, sign, target."""
    if not steps and not begun:
        yield []
        return
    for i, join in enumerate(begun):
        for rest in orders(steps, begun[:i] + begun[i + 1:]):
            yield [join] + rest
    if steps:
        letters, mark, to = steps[0]
        for letter in letters:
            joins = tuple((other, "&", to) for other in letters if other != letter)
            for rest in orders(steps[1:], begun + joins):
                yield [(letter, mark, to)] + rest


def deploy(cells, side, a, order):
    """Plays single steps of the stack on a. It returns the cells and whether a step captured."""
    cells = {at: (s, dict(members)) for at, (s, members) in cells.items()}
    landed, captured = set(), False
    for letter, mark, b in order:
        if a not in cells or letter not in cells[a][1]:
            raise Illegal("no such member")
        member = {letter: cells[a][1][letter]}
        joins = mark == "&" and b in landed and lead_of(cells[b][1]) == (stack_of(list(cells[b][1]) + [letter]) or [None])[0]
        if not joins and mark not in sign(cells, side, member, a, b, True):
            raise Illegal("no such step")
        captured = play(cells, side, a, [letter], mark, b) or captured
        if mark in ("", "x", "&"):
            landed.add(b)
    return cells, captured


def deployment(board, word, steps):
    """Plays the word of a deployment. steps are the moves of a comment, if there is one."""
    stay, _, moving = word.removesuffix("...").rpartition("<")
    parts = [STEP.match(part).groups() for part in moving.split(",")]
    named, listed = members_of(stay), []
    for pieces, _, _, _, mark, to in parts:
        named.update(members_of(pieces))
        listed.append((list(members_of(pieces)), mark, cell(to)))
    found = {}
    for a, (side, stack) in board.cells.items():
        if side != board.side or stack != named:
            continue
        tries = orders(listed)
        if steps:
            told = [STEP.match(s).groups() for s in steps if s != "commit"]
            if told[0][1] + told[0][2] != name(a):
                continue
            tries = [[(p[-1], mark, cell(to)) for p, _, _, _, mark, to in told]]
        for order in tries:
            try:
                cells, captured = deploy(board.cells, side, a, order)
            except Illegal:
                continue
            stays = not word.endswith("...") and a in cells and not stands(lead_of(cells[a][1]), a)
            if stays or (in_danger(cells, side) and not word.endswith("...")):
                continue
            after = board.copy()
            after.cells = cells
            found.setdefault(after.text(), (after, captured))
    if len(found) != 1:
        raise Illegal(f"{word} fits {len(found)} turns")
    return next(iter(found.values()))


def turn(board, word, steps):
    after, captured = deployment(board, word, steps) if ">" in word else whole(board, word)
    after.half = 0 if captured else board.half + 1
    after.full += board.side
    after.side = 1 - board.side
    return after


def games(pgn):
    """Yields tags and words of the games of a text; a word is followed by the steps of its comment."""
    for text in re.split(r"\n\n(?=\[Event )", pgn.strip()):
        head, moves = text.split("\n\n", 1)
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', head, re.M))
        words, last = [], None
        for token in re.findall(r"\{[^}]*\}|\S+", moves):
            if token[0] == "{":
                told = re.search(r"\[%steps ([^\]]*)\]", token)
                if told:
                    words[-1][1] = told[1].split()
            elif re.fullmatch(r"\d+\.(\.\.)?", token):
                continue
            elif token in ("1-0", "0-1", "1/2-1/2", "*"):
                last = token
            else:
                words.append([token, None])
        assert last == tags["Result"], text
        yield tags, words


def positions_of(export, folder):
    """Returns the positions at the start of turns, and how many decisions there are, by game."""
    lines = subprocess.run([export, "convert", "--quiet", "--format", "jsonl", "--boards", "text", "--out", "-", folder],
                           check=True, capture_output=True, text=True).stdout
    found = {}
    for row in map(json.loads, lines.splitlines()):
        texts, plies = found.get(row["game"], ([], 0))
        if len(row["position"].split()) == 6:
            texts.append(row["position"])
        found[row["game"]] = texts, plies + 1
    return found


def main():
    export, *folders = sys.argv[1:]
    for folder in folders:
        pgn = subprocess.run([export, "convert", "--quiet", "--format", "pgn", "--out", "-", folder],
                             check=True, capture_output=True, text=True).stdout
        known, count, turns, told = positions_of(export, folder), 0, 0, 0
        for tags, words in games(pgn):
            texts, plies = known[int(tags["Round"])]
            assert tags["Variant"] == "cotulenh" and int(tags["PlyCount"]) == plies, tags
            board = Board(tags.get("FEN", START))
            for i, (word, steps) in enumerate(words):
                assert board.text() == texts[i], (tags["Round"], i, word, board.text(), texts[i])
                try:
                    board = turn(board, word, steps)
                except Illegal as e:
                    sys.exit(f"game {tags['Round']}, turn {i + 1} at {texts[i]}: {e}")
                told += steps is not None
            assert len(words) == len(texts), (tags["Round"], len(words), len(texts))
            assert (tags["Reason"] == "commander_captured") == (None in [commander(board.cells, s) for s in (0, 1)]), tags
            count, turns = count + 1, turns + len(words)
        assert count == len(known), folder
        print(f"PGN of CoTuLenh: {count} games of {turns} turns, {told} with steps, are played to equal texts: {folder}")


if __name__ == "__main__":
    main()
