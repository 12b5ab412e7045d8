package uci

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/workers"
)

// Player returns an engine as a player of a match. Its processes end when they are closed,
// or killed when ctx ends. Any failure of the engine is the error of its game, so it notifies of none.
func Player(ctx context.Context, game encode.Game, text string, o Options) (workers.PlayerSpec, error) {
	s, err := specOf(game, o.Variant, text)
	if err == nil {
		err = s.complete(text, o)
	}
	if err != nil {
		return workers.PlayerSpec{}, err
	}
	return workers.ExternalPlayer(text, false, func(abort search.Abort) workers.External {
		return newPlayer(game, o.Variant, &asker{ctx: ctx, spec: &s, tries: 1, aborted: abort})
	}), nil
}

// specOf parses the text of an engine that is to play a variant of a game. Chess960 is an option of the engine.
func specOf(game encode.Game, variant, text string) (s spec, err error) {
	if game.Name != GameName {
		return s, fmt.Errorf("player %q: UCI engines play chess only", text)
	}
	if s, err = parseSpec(text); err == nil {
		err = s.setVariant(variant)
	}
	if err != nil {
		return s, refuse(text, err)
	}
	return s, nil
}

// refuse returns the error of a text.
func refuse(text string, err error) error {
	return fmt.Errorf("player %q: %w: want %s", text, err, Usage)
}

// GameName is the name of the only game of UCI.
const GameName = "chess"

// player is an engine as a player.
type player struct {
	asker  *asker
	forget bool // the engine forgets everything before every decision, not only before every game
	past   *workers.History
	isNew  bool  // the engine does not know of the game
	err    error // of the last decision
}

func newPlayer(game encode.Game, variant string, a *asker) *player {
	return &player{asker: a, past: workers.NewHistory(&game, variant)}
}

func (p *player) Begin(rec *engine.Record) {
	p.isNew = true
	p.past.Begin(rec)
}

func (p *player) Err() error { return p.err }

func (p *player) CPU() int64 { return p.asker.cpu }

func (p *player) Close() { p.asker.close() }

func (p *player) Play(pos engine.Position, _ *rand.PCG, d *workers.Decision) bool {
	p.err = nil
	if pos.Outcome() != engine.Ongoing {
		return false
	}
	err := p.play(pos, d)
	if err != nil && !errors.Is(err, errAborted) {
		p.err = p.failure(err)
	}
	return err == nil
}

// failure returns the error of a decision. A dataset can go on from there.
func (p *player) failure(err error) error {
	err = fmt.Errorf("UCI engine %s: %w", p.asker.spec.path, err)
	if p.forget {
		return &workers.ModelError{Err: err}
	}
	return err
}

// play asks the engine for a move and plays it.
func (p *player) play(pos engine.Position, d *workers.Decision) error {
	if err := p.past.Follow(); err != nil {
		return err
	}
	isNew := p.isNew || p.forget
	p.isNew = false
	text, r, err := p.asker.ask(p.position(), isNew)
	if err != nil {
		return err
	}
	m, err := parseBest(pos, text)
	if err != nil {
		return err
	}
	*d = workers.Decision{Move: m, Best: m, Nodes: r.counted(), Score: int16(r.score)}
	pos.Do(m)
	return nil
}

// parseBest returns the best move that an engine names in a position.
func parseBest(pos engine.Position, text string) (engine.Move, error) {
	m, err := pos.ParseMove(text)
	if err != nil {
		return m, fmt.Errorf("bestmove %q in %s: %w", text, pos, err)
	}
	return m, nil
}

// position returns the command that sets the position, with the moves that led to it.
func (p *player) position() string {
	text := "position startpos"
	if p.past.Start != "" {
		text = "position fen " + p.past.Start
	}
	if len(p.past.Moves) > 0 {
		text += " moves " + strings.Join(p.past.Moves, " ")
	}
	return text
}
