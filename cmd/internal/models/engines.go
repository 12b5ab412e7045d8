package models

import (
	"fmt"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/uci"
	"selfplay/encode"
	"selfplay/workers"
)

// Sources returns what names of players may refer to: models, UCI engines, and networks that find finds.
func (s *Set) Sources(g encode.Game, variant string, find workers.Networks) workers.Sources {
	return workers.Sources{Networks: find, Models: s.For(g, variant), Externals: s.engines(g, variant)}
}

// engines returns a function that finds UCI engines.
func (s *Set) engines(g encode.Game, variant string) workers.Externals {
	return func(text string) (workers.PlayerSpec, error) {
		for _, e := range s.started {
			if same, ok := e.With(text); ok {
				return same.Player(), nil
			}
		}
		e, err := uci.Open(s.ctx, g, text, s.EngineOptions(variant))
		if err != nil {
			return workers.PlayerSpec{}, err
		}
		return e.Player(), s.add(e)
	}
}

// EngineOptions returns where engines are that the flags define, to play a variant of the game.
func (s *Set) EngineOptions(variant string) uci.Options {
	return uci.Options{Variant: variant, Command: s.command, Timeout: s.engineTimeout, Notify: s.options.Notify}
}

// add adds an engine to those in use. One name cannot stand for two.
func (s *Set) add(e *uci.Engine) error {
	own := e.Plan()
	for _, o := range s.started {
		if other := o.Plan(); other.Name == own.Name && other != own {
			return app.Usage("engine %s: two of this name have other options or answers: add name=NAME to one of them", own.Name)
		}
	}
	s.started = append(s.started, e)
	return nil
}

// command returns the command of an engine that a flag defines.
func (s *Set) command(name string) ([]string, error) {
	var found [][]string
	for _, source := range s.sources {
		if source.Name == name && source.Network == "" {
			found = append(found, source.Command)
		}
	}
	switch {
	case len(found) > 1:
		return nil, fmt.Errorf("%d commands have the name %s: an engine has one", len(found), name)
	case len(found) == 1:
		s.used = append(s.used, name)
		return found[0], nil
	}
	return nil, fmt.Errorf("path is missing, and no evaluator has the name %s: want --%s %s='COMMAND'", name, sourceFlag, name)
}
