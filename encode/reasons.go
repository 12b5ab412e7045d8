package encode

import (
	"fmt"
	"slices"

	"selfplay/engine"
)

// NamedReason is a reason that only one game has, and its name.
type NamedReason struct {
	Reason engine.Reason
	Name   string // lower case, words separated by _
}

// AllReasons returns every reason for which a game can end, ascending: those of its rules,
// adjudication and the ply limit.
func (g *Game) AllReasons() []engine.Reason {
	all := append(slices.Clone(g.Reasons), engine.Adjudicated, engine.PlyLimit)
	slices.Sort(all)
	return all
}

// AllReasonNames returns the names of AllReasons.
func (g *Game) AllReasonNames() (names []string) {
	for _, r := range g.AllReasons() {
		names = append(names, g.ReasonName(r))
	}
	return names
}

// ReasonNames returns the names of the reasons below engine.FirstOwnReason that end games,
// indexed by engine.Reason. Numbers that the game does not use have an empty name, so a
// reason that is added for another game changes nothing here. OwnReasons has the others.
func (g *Game) ReasonNames() []string {
	var names []string
	for _, r := range g.AllReasons() {
		if r < engine.FirstOwnReason {
			names = append(names, make([]string, int(r)+1-len(names))...)
			names[r] = r.String()
		}
	}
	return names
}

// ReasonName returns the name of a reason: "" for engine.NoReason.
func (g *Game) ReasonName(r engine.Reason) string {
	for _, own := range g.OwnReasons {
		if own.Reason == r {
			return own.Name
		}
	}
	return r.String()
}

// Reason returns the reason with the given name, false if no game ends for it.
func (g *Game) Reason(name string) (engine.Reason, bool) {
	for _, r := range g.AllReasons() {
		if g.ReasonName(r) == name {
			return r, true
		}
	}
	return engine.NoReason, false
}

// numShared is the number of reasons that all games share.
var numShared = len(engine.Reasons())

// hasReason reports whether datasets of the game may hold a reason.
func (g *Game) hasReason(r engine.Reason) bool {
	return int(r) < numShared || slices.ContainsFunc(g.OwnReasons, func(own NamedReason) bool { return own.Reason == r })
}

// checkReasons returns an error if numbers or names of the game's own reasons are wrong.
func (g *Game) checkReasons() error {
	names := engine.Reasons()
	for i, own := range g.OwnReasons {
		switch {
		case own.Reason < engine.FirstOwnReason || i > 0 && own.Reason <= g.OwnReasons[i-1].Reason:
			return fmt.Errorf("reason %d: want ascending numbers from %d", own.Reason, engine.FirstOwnReason)
		case slices.Contains(names, own.Name):
			return fmt.Errorf("reason %d: the name %q is taken or empty", own.Reason, own.Name)
		}
		names = append(names, own.Name)
	}
	for _, r := range g.Reasons {
		if !g.hasReason(r) {
			return fmt.Errorf("reason %d: OwnReasons does not name it", r)
		}
	}
	return nil
}
