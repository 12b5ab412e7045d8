package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"selfplay/encode"
	"selfplay/engine/search"
	"selfplay/workers"
)

// Engine is an engine as a player of datasets. It forgets everything before each decision, so that a decision depends on
// the position and its history alone.
type Engine struct {
	game    encode.Game
	spec    spec   // with the variant
	id      string // what it calls itself
	answers []string
	o       Options
}

// Options say what an engine plays, where it is and how it is watched.
type Options struct {
	Variant string                              // of the game
	Command func(name string) ([]string, error) // of an engine whose text names no path
	Timeout time.Duration                       // for an answer, if the text names none; 0 for the default
	Notify  func(string)                        // gets every failure after which the engine is asked again
}

// Open starts the engine of a text, asks it about fixed positions and ends it. It returns an error if the engine answers
// otherwise when it is asked again.
func Open(ctx context.Context, game encode.Game, text string, o Options) (*Engine, error) {
	s, err := specOf(game, o.Variant, text)
	if err != nil {
		return nil, err
	}
	if err := s.complete(text, o); err != nil {
		return nil, err
	}
	e := &Engine{game: game, spec: s, o: o}
	if err := e.identify(ctx); err != nil {
		return nil, fmt.Errorf("player %q: UCI engine %s: %w", text, s.path, err)
	}
	return e, nil
}

// complete sets what the text of an engine leaves to the options.
func (s *spec) complete(text string, o Options) error {
	if s.path == "" {
		if err := s.setCommand(o.Command); err != nil {
			return fmt.Errorf("player %q: %w", text, err)
		}
	}
	s.timeout = cmp.Or(s.timeout, o.Timeout)
	return nil
}

// setCommand sets the command of an engine that has only a name.
func (s *spec) setCommand(find func(name string) ([]string, error)) error {
	command, err := find(s.name)
	if err != nil {
		return err
	}
	s.path, s.args = command[0], command[1:]
	_, err = exec.LookPath(s.path)
	return err
}

// With returns the engine with the limits of another text, or false if that means another engine or other options.
func (e *Engine) With(text string) (*Engine, bool) {
	s, err := specOf(e.game, e.o.Variant, text)
	isSame := err == nil && (s.name == "" || s.name == e.spec.name) && slices.Equal(s.options, e.spec.options) &&
		(s.path == "" || s.path == e.spec.path && slices.Equal(s.args, e.spec.args))
	same := *e
	same.spec.nodes, same.spec.depth, same.spec.timeout = s.nodes, s.depth, cmp.Or(s.timeout, e.o.Timeout)
	return &same, isSame
}

// Player returns the engine as a player. Its processes end when they are closed: games that a stop lets finish still
// need them. A failure that asking again does not mend is a *workers.ModelError.
func (e *Engine) Player() workers.PlayerSpec {
	ctx := context.Background()
	return workers.ExternalPlayer(e.spec.canonical(), true, func(abort search.Abort) workers.External {
		check := func() error { return e.recognise(ctx) }
		p := newPlayer(e.game, e.o.Variant, &asker{ctx: ctx, spec: &e.spec, id: e.id, tries: maxFailures, aborted: abort, notify: e.o.Notify, check: check})
		p.forget = true
		return p
	})
}

// nameOf returns the name in plans of an engine that calls itself id.
func nameOf(id string) string {
	words := strings.FieldsFunc(strings.ToLower(id), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "_")
}

// name sets what the engine is called.
func (e *Engine) name(id string) error {
	e.id = id
	e.spec.name = cmp.Or(e.spec.name, nameOf(id))
	if e.spec.name == "" {
		return errors.New("it does not say its name (id name): add name=NAME")
	}
	return nil
}
