package uci

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// Player returns an engine as a player of a match. Its processes end when they are closed,
// or killed when ctx ends. Any failure of the engine is the error of its game.
func Player(ctx context.Context, game encode.Game, text string) (workers.PlayerSpec, error) {
	if game.Name != chess {
		return workers.PlayerSpec{}, fmt.Errorf("player %q: UCI engines play chess only", text)
	}
	s, err := parseSpec(text)
	if err != nil {
		return workers.PlayerSpec{}, fmt.Errorf("player %q: %w: want %s", text, err, Usage)
	}
	return workers.ExternalPlayer(text, func() workers.External {
		return &player{ctx: ctx, spec: &s, game: game, shadow: game.New("")}
	}), nil
}

// chess is the name of the only game of UCI.
const chess = "chess"

// player is an engine as a player. It starts its process before its first move.
type player struct {
	ctx     context.Context
	spec    *spec
	game    encode.Game
	process *process // nil before the first move
	rec     *engine.Record
	shadow  engine.Position // the position after moves
	start   string          // "startpos" or "fen FEN"
	moves   []string        // of the game so far
	isNew   bool            // the engine does not know of the game
	err     error
	cpu     int64
}

func (p *player) Begin(rec *engine.Record) { p.rec, p.isNew = rec, true }

func (p *player) Err() error { return p.err }

func (p *player) CPU() int64 { return p.cpu }

func (p *player) Close() {
	if p.process != nil {
		p.process.close()
	}
}

func (p *player) Play(pos engine.Position, _ *rand.PCG, d *workers.Decision) bool {
	if p.err == nil && pos.Outcome() == engine.Ongoing {
		if err := p.play(pos, d); err != nil {
			p.err = fmt.Errorf("UCI engine %s: %w", p.spec.path, err)
		}
		return p.err == nil
	}
	return false
}

// play asks the engine for a move and plays it.
func (p *player) play(pos engine.Position, d *workers.Decision) error {
	if p.process == nil {
		if err := p.open(); err != nil {
			return err
		}
	}
	if err := p.setUp(); err != nil {
		return err
	}
	text, r, err := p.ask()
	if err != nil {
		return err
	}
	m, err := pos.ParseMove(text)
	if err != nil {
		return fmt.Errorf("bestmove %q in %s: %w", text, pos, err)
	}
	*d = workers.Decision{Move: m, Best: m, Nodes: r.counted(), Score: int16(r.score)}
	pos.Do(m)
	return nil
}

// open starts the process.
func (p *player) open() (err error) {
	if p.process, err = start(p.ctx, p.spec); err != nil {
		return err
	}
	return p.process.handshake(p.spec)
}

// setUp tells the engine the position. The CPU time of this is not counted: it grows with
// the length of the game, not with the strength of the engine.
func (p *player) setUp() error {
	var lines []string
	if p.isNew {
		if err := p.begin(); err != nil {
			return err
		}
		lines = append(lines, "ucinewgame")
	}
	if err := p.follow(); err != nil {
		return err
	}
	text := "position " + p.start
	if len(p.moves) > 0 {
		text += " moves " + strings.Join(p.moves, " ")
	}
	return p.process.sync(append(lines, text)...)
}

// begin goes to the start of a new game.
func (p *player) begin() error {
	if err := engine.Begin(p.shadow, p.rec.Start); err != nil {
		return err
	}
	p.start, p.moves, p.isNew = "startpos", p.moves[:0], false
	if p.rec.Start != "" {
		p.start = "fen " + p.shadow.String()
	}
	return nil
}

// follow adds the moves of the record that are new.
func (p *player) follow() error {
	for _, action := range p.rec.Actions[len(p.moves):] {
		m, err := p.game.Actions.Move(p.shadow, action)
		if err != nil {
			return err
		}
		p.moves = append(p.moves, p.shadow.FormatMove(m))
		p.shadow.Do(m)
	}
	return nil
}

// ask returns the engine's best move and the report of its search.
func (p *player) ask() (move string, r report, err error) {
	before := p.process.cpuTime()
	if err := p.process.send(p.spec.goCommand()); err != nil {
		return "", r, err
	}
	err = p.process.receive("bestmove", func(line string) bool {
		r.read(line)
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bestmove" {
			return false
		}
		if len(words) > 1 {
			move = words[1]
		}
		return true
	})
	p.cpu += p.process.cpuTime() - before
	return move, r, err
}
