package stats

import (
	"cmp"
	"maps"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// Size of an opening tree: treePlies is its depth, treeWidth the number of branches of a
// node at each ply, treeStarts the number of first positions. After the first ply a branch
// needs at least treeGames games.
const (
	treePlies  = 4
	treeStarts = 4
	treeGames  = 2
)

var treeWidth = [treePlies]int{8, 3, 2, 1}

// Tree is the opening tree of the games from one first position.
type Tree struct {
	Start string   `json:"start"` // text of the position, "" for the start of the game
	Games uint64   `json:"games"`
	Moves uint64   `json:"moves"` // distinct first moves
	Next  []Branch `json:"next"`  // the most common first moves
}

// Branch is a move with its most common continuations.
type Branch struct {
	Move  string   `json:"move"`
	Games uint64   `json:"games"`
	Share float64  `json:"share"` // of all games
	Moves uint64   `json:"moves"` // distinct next moves
	Next  []Branch `json:"next,omitempty"`
}

// beginning holds the first plies of a game.
type beginning struct {
	start   string
	plies   uint8
	actions [treePlies]uint16
}

func beginningOf(r *engine.Record) beginning {
	b := beginning{start: r.Start}
	b.plies = uint8(copy(b.actions[:], r.Actions))
	return b
}

// node is a node of the tree: its number of games and its children by action.
type node struct {
	games uint64
	next  map[uint16]*node
}

func (n *node) child(action uint16) *node {
	if n.next == nil {
		n.next = map[uint16]*node{}
	}
	if n.next[action] == nil {
		n.next[action] = new(node)
	}
	return n.next[action]
}

// treesOf returns the trees of counted beginnings, the most common start first. It plays on
// pos.
func treesOf(g *encode.Game, pos engine.Position, lines map[beginning]uint64) (trees []Tree) {
	roots, all := map[string]*node{}, uint64(0)
	for b, games := range lines {
		at := roots[b.start]
		if at == nil {
			at = new(node)
			roots[b.start] = at
		}
		at.games += games
		all += games
		for _, action := range b.actions[:b.plies] {
			at = at.child(action)
			at.games += games
		}
	}
	starts := slices.SortedFunc(maps.Keys(roots), func(a, b string) int {
		return cmp.Or(cmp.Compare(roots[b].games, roots[a].games), cmp.Compare(a, b))
	})
	for _, start := range starts[:min(len(starts), treeStarts)] {
		if engine.Begin(pos, start) != nil {
			continue // cannot happen: the replay would have refused the record
		}
		root := roots[start]
		trees = append(trees, Tree{start, root.games, uint64(len(root.next)), root.branches(g, pos, 0, all)})
	}
	return trees
}

// branches returns the most common moves of a node. Its position is on pos.
func (n *node) branches(g *encode.Game, pos engine.Position, ply int, all uint64) (list []Branch) {
	if ply == treePlies {
		return nil
	}
	actions := slices.SortedFunc(maps.Keys(n.next), func(a, b uint16) int {
		return cmp.Or(cmp.Compare(n.next[b].games, n.next[a].games), cmp.Compare(a, b))
	})
	for _, action := range actions[:min(len(actions), treeWidth[ply])] {
		next := n.next[action]
		if ply > 0 && next.games < treeGames {
			break
		}
		m, err := g.Actions.Move(pos, action)
		if err != nil {
			continue // cannot happen, as above
		}
		b := Branch{Move: moveText(pos, m), Games: next.games, Share: share(next.games, all), Moves: uint64(len(next.next))}
		pos.Do(m)
		b.Next = next.branches(g, pos, ply+1, all)
		pos.Undo()
		list = append(list, b)
	}
	return list
}

// moveText writes a move in algebraic notation if the game has one.
func moveText(pos engine.Position, m engine.Move) string {
	if p, ok := pos.(engine.Algebraic); ok {
		return p.SAN(m)
	}
	return pos.FormatMove(m)
}
