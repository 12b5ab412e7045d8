"""Searches positions as docs/tree-search.md describes `mcts`, and compares with what the program found: visits, best
action, score, nodes and policy. The rules, the order of moves and the hand-written score come from `selfplay positions`.

    python treesearch.py SELFPLAY FOLDER POSITIONS GAME...    compares so many positions of each game and player
    python treesearch.py --model GAME                         is the model of the players with eval=
"""

import bisect
import math
import subprocess
import sys
from pathlib import Path

import numpy

import selfplay

ONE, WIN = 1 << 16, 29_999
LOGISTIC = [int(ONE * ((1 - math.exp(-i / 256)) / (1 + math.exp(-i / 256)))) for i in range(16 * 256)]
DECAY = [max(int(ONE * math.exp(-i / 64)), 1) for i in range(16 * 64 + 1)]
NO_MOVES = ("checkmate", "stalemate", "blocked", "no_moves")

# The players, and which part of the positions is compared: a few of slow ones.
PLAYERS = {
    "eval=hash,sims=60,temp=1": 1,
    "eval=hash,sims=100,c=0.7,fpu=0.2,fpureduction=0.4,temp=1": 1,
    "eval=hash,sims=48,root=gumbel,gumbel=0,considered=6": 1,
    "eval=hash,sims=800": 8,
    "priors=static,leaf=static,sims=24,scale=200,target=completedq,temp=1": 8,
}


def model(game):
    """Returns a model that says nothing: values and logits are hashes of the planes."""
    numbers = numpy.random.default_rng(1)
    cells = numbers.integers(0, 1 << 24, len(game.plane_names) * game.ranks * game.files)
    offsets = numbers.integers(0, 2048, game.actions, numpy.int32)

    def answer(planes):
        hashes = planes.reshape(len(planes), -1).astype(numpy.int64) @ cells % 65521
        return hashes % 32769 / 16384 - 1, ((hashes.astype(numpy.int32)[:, None] + offsets) & 2047) / numpy.float32(100)

    return answer


def divide(a, b):
    """Divides and rounds towards 0."""
    return a // b if a >= 0 else -(-a // b)


def signed(sign, magnitude):
    return magnitude if sign >= 0 else -magnitude


def value_of(score, scale):
    return signed(score, LOGISTIC[min(abs(score) * 256 // scale, len(LOGISTIC) - 1)])


def score_of(value, scale):
    index = bisect.bisect_left(LOGISTIC, abs(value), 0, len(LOGISTIC) - 1)
    return signed(value, min(-(-index * scale // 256), 20_000))


def softmax(scores):
    weights = [DECAY[min((max(scores) - s) * 64 // 100, len(DECAY) - 1)] for s in scores]
    return [max(w * ONE // sum(weights), 1) for w in weights]


def seen(position):
    """Returns what the program says of a position."""
    return position._sight.values


class Node:
    """A position. Its values take the view of the side that played the move to it, those of the root of the side to move."""

    def __init__(self, position, side, prior=0, action=-1, order=-1):
        self.position, self.side, self.prior, self.action, self.order = position, side, prior, action, order
        self.visits = self.total = self.mean = self.tried = 0
        self.over, self.untried, self.children, self.logits = False, None, [], None


class Search:
    def __init__(self, position, options, answer=None):
        self.answer, self.nodes, self.options = answer, 0, options
        defaults = {"c": 1.5, "fpu": 0, "fpureduction": 0}
        self.c, self.fpu, self.reduction = (round(float(options.get(name, default)) * 1000) for name, default in defaults.items())
        self.sims, self.scale = int(options["sims"]), int(options.get("scale", 300))
        self.root = Node(position, position.side)
        self.value = self.root.mean = self.evaluate(self.root)
        self.expand(self.root)
        if options.get("root") == "gumbel":
            self.by_halving()
        else:
            for _ in range(self.sims):
                self.simulate()

    def evaluate(self, node):
        """Returns the value of a node as a leaf from the view of its side to move."""
        if not self.answer:
            return value_of(seen(node.position)["static"], self.scale)
        value, logits = self.answer(node.position.planes[None])
        node.logits = numpy.rint(logits[0, node.position.actions] * 100).astype(int).tolist()
        return int(numpy.rint(value[0] * 16384)) * 4

    def play(self, position, action):
        self.nodes += 1
        return position.copy().play(action)

    def expand(self, node):
        position = node.position
        scores = node.logits or [self.static_after(position, int(a)) for a in position.actions]
        node.priors = softmax(scores)
        listed = zip(node.priors, seen(position)["order"], position.actions.tolist())
        node.untried = sorted(listed, key=lambda move: (-move[0], move[1]))

    def static_after(self, position, action):
        after = self.play(position, action)
        if after.reason and after.reason not in NO_MOVES:
            return 20_000 * self.outcome(after, position.side)
        static = seen(after)["static"]
        return static if after.side == position.side else -static

    @staticmethod
    def outcome(position, side):
        return 0 if position.result == "draw" else 1 if position.result == position.game.sides[side] else -1

    def try_move(self, node, index=0):
        prior, order, action = node.untried.pop(index)
        child = Node(None, node.position.side, prior, action, order)
        node.tried = min(node.tried + prior, ONE - 1)
        node.children.append(child)
        return child

    def select(self, node):
        value = node.mean if node.position.side == node.side else -node.mean
        value -= divide(self.fpu * ONE, 1000) + self.reduction * math.isqrt(node.tried << 16) // 1000
        scale = self.c * math.isqrt(max(node.visits, 1) << 32) // 1000
        sums = [(c.mean + (c.prior * scale // (1 + c.visits) >> 16), -c.order, c) for c in node.children]
        if node.untried:
            prior, order, _ = node.untried[0]
            sums.append((value + (prior * scale >> 16), -order, None))
        return max(sums, key=lambda s: s[:2])[2] or self.try_move(node)

    def simulate(self, child=None):
        path = [self.root]
        while len(path) == 1 or path[-1].visits and not path[-1].over and len(path) < 256:
            node = path[-1]
            if node.untried is None:
                self.expand(node)
            child = child or self.select(node)
            if child.position is None:
                child.position = node.position.copy().play(child.action)
            self.nodes += 1
            path.append(child)
            child = None
        leaf = path[-1]
        if not leaf.visits and leaf.position.reason:
            leaf.over, leaf.mean = True, ONE * self.outcome(leaf.position, leaf.side)
        if leaf.over:
            value, side = leaf.mean, leaf.side
        else:
            value, side = self.evaluate(leaf), leaf.position.side
        for node in path:
            node.visits += 1
            node.total += value if node.side == side else -value
            if not node.over:
                node.mean = divide(node.total, node.visits)

    def by_halving(self):
        moves = sorted(zip(self.root.priors, seen(self.root.position)["order"]), key=lambda m: m[1])
        bases = sorted(((int(math.log(p / ONE) * ONE), order) for p, order in moves), key=lambda b: -b[0])
        self.candidates = [[base, order, None] for base, order in bases[: min(int(self.options["considered"]), self.sims)]]
        phases, k, left, visits = max(1, (len(self.candidates) - 1).bit_length()), len(self.candidates), self.sims, 0
        while left:
            for _ in range(max(1, self.sims // (phases * k))):
                for _ in range(min(k, left)):
                    candidate = self.best(visits)
                    if not candidate[2]:
                        index = [order for _, order, _ in self.root.untried].index(candidate[1])
                        candidate[2] = self.try_move(self.root, index)
                    self.simulate(candidate[2])
                    left -= 1
                visits += 1
            k = max(min(2, k), k // 2)

    def best(self, visits):
        """Returns the best candidate with some visits."""
        most = max(c[2].visits if c[2] else 0 for c in self.candidates)
        equal = [c for c in self.candidates if (c[2].visits if c[2] else 0) == visits]
        return max(equal, key=lambda c: c[0] + ((50 + most) * (c[2].mean + ONE) // 2 if c[2] else 0))

    def result(self):
        """Returns best action, score, nodes, and the weights by action."""
        ordered = sorted(self.root.children, key=lambda c: (-c.visits, -self.score(c), c.order))
        first = self.best(ordered[0].visits)[2] if self.options.get("root") == "gumbel" else ordered[0]
        return first.action, self.score(first), self.nodes, self.weights()

    def score(self, child):
        return child.mean // ONE * WIN if child.over else score_of(child.mean, self.scale)

    def weights(self):
        visits = {c.action: c.visits for c in self.root.children}
        if self.options.get("target") != "completedq" and self.options.get("root") != "gumbel":
            return visits
        root, children = self.root, self.root.children
        mean = divide(sum(c.prior * c.mean for c in children), sum(c.prior for c in children))
        mixed = divide(self.value + root.visits * mean, 1 + root.visits)
        values = {c.action: c.mean for c in children}
        factor = 50 + max(visits.values())
        logits = {
            action: math.log(prior / ONE) + factor * ((values.get(action, mixed) + ONE) / (2 * ONE))
            for action, prior in zip(root.position.actions.tolist(), root.priors)
        }
        weights = {a: int(65535 * math.exp(x - max(logits.values())) + 0.5) for a, x in logits.items()}
        return {a: max(w, 1) if a in visits else w for a, w in weights.items() if w or a in visits}


def positions_of(program, folder, game, player, count):
    """Plays games, and returns searched positions: the actions before each, and its row."""
    command = [program, "run", "--quiet", "--game", game.name, "--seed", "7", "--opening-plies", "0-20", "--validation", "0"]
    command += ["--games", str(-(-count // 4)), "--max-plies", "26", "--perspective", "mover", "--player", "mcts:" + player, "--out", folder]
    if "eval=" in player:
        command += ["--evaluator", f"hash={sys.executable} {Path(__file__).resolve()} --model {game.name}"]
    subprocess.run(command, check=True)
    names = ["game", "action", "searched", "best_action", "score", "nodes", "policy_action", "policy_weight"]
    rows, found, played = selfplay.open(folder).to_numpy("train", names), [], []
    for i, action in enumerate(rows["action"]):
        if i and rows["game"][i] != rows["game"][i - 1]:
            played = []
        if rows["searched"][i]:
            weights = dict(zip(rows["policy_action"][i].tolist(), rows["policy_weight"][i].tolist()))
            found.append((list(played), (int(rows["best_action"][i]), int(rows["score"][i]), int(rows["nodes"][i]), weights)))
        played.append(int(action))
    return [found[i * len(found) // count] for i in range(min(count, len(found)))]


def compare(program, folder, name, player, count):
    """Searches positions again, and returns how many there are."""
    game = selfplay.game(name)
    options = dict(option.split("=") for option in player.split(","))
    answer = model(game) if "eval" in options else None
    chosen = positions_of(program, folder, game, player, count)
    for played, want in chosen:
        position = game.position(program=program)
        for action in played:
            position.play(action)
        got = Search(position, options, answer).result()
        exact = all(weight == want[3].get(action) for action, weight in got[3].items())
        near = all(abs(weight - want[3].get(action, 0)) <= 1 for action, weight in got[3].items())
        completed = "completedq" in player or "gumbel" in player  # the last bit of exp and log
        assert got[:3] == want[:3] and len(got[3]) == len(want[3]) and (near if completed else exact), f"{name} {player} {position}: {got}, want {want}"
    return len(chosen)


def main(program, folder, count, *games):
    total = 0
    for name in games:
        for i, (player, cost) in enumerate(PLAYERS.items()):
            total += compare(program, f"{folder}/{name}-{i}", name, player, max(1, int(count) // cost))
    print(f"tree search: {total} of {total} positions as docs/tree-search.md says")


if __name__ == "__main__":
    if sys.argv[1] == "--model":
        game = selfplay.game(sys.argv[2])
        selfplay.evaluate(model(game), batch=4, game=game.name)
    else:
        main(*sys.argv[1:])
