package positions

import (
	"encoding/json"
	"fmt"

	"selfplay/encode"
)

// Protocol is the version of the frames of this package.
const Protocol = 1

// hello is what this side says first.
type hello struct {
	Protocol       int    `json:"protocol"`
	Version        string `json:"version"` // of the program
	Game           string `json:"game"`
	Variant        string `json:"variant"`
	Rules          int    `json:"rules"`
	LayoutVersion  int    `json:"layout_version"`
	ActionsVersion int    `json:"actions_version"`
	Shape          [3]int `json:"shape"` // planes, ranks, files
	Actions        int    `json:"actions"`
	MaxPlies       int    `json:"max_plies"`
	Player         string `json:"player,omitempty"` // the canonical name of the one that searches
}

// newHello returns the hello of a game.
func newHello(c *Config, l *encode.Layout) hello {
	g := &c.Game
	h := hello{
		Protocol: Protocol, Version: c.Version, Game: g.Name, Variant: c.Variant, Rules: g.Rules, LayoutVersion: l.Version,
		ActionsVersion: g.Actions.Version, Shape: [3]int{len(l.Elements), g.Board.Ranks, g.Board.Files}, Actions: g.Actions.Count,
		MaxPlies: g.MaxPlies,
	}
	if c.Player != nil {
		h.Player = c.Player.String()
	}
	return h
}

// frame returns the hello as a frame.
func (h hello) frame() ([]byte, error) {
	body, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("write hello: %w", err)
	}
	return append(appendHeader(nil, kindHello, len(body)), body...), nil
}
