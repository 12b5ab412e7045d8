package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/evaluator"
	"selfplay/cmd/internal/uci"
	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/internal/typo"
	"selfplay/workers"
)

// Names of the flags.
const (
	sourceFlag      = "evaluator"
	timeoutFlag     = "evaluator-timeout"
	approximateFlag = "approximate"
)

// modelFlags returns the flags that define models.
func modelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: sourceFlag, Category: groupPlayers,
			Usage: "ask a model of yours for players with eval=NAME, or a program of yours for the moves of own:NAME: `NAME='COMMAND'` starts it, NAME=unix:PATH and NAME=tcp:HOST:PORT connect to it; repeat the flag for more. A command also starts the UCI engine of players with uci:name=NAME"},
		&cli.DurationFlag{Name: timeoutFlag, Category: groupPlayers, Value: 2 * time.Minute, Usage: "ask an evaluator again that does not answer a batch within this `TIME`"},
		&cli.BoolFlag{Name: approximateFlag, Category: groupPlayers, Usage: "accept a model whose answers depend on the other positions of a batch: the plan and the card say so"},
	}
}

// startTime is how long a program may take to load its model.
const startTime = 10 * time.Minute

// modelSet holds the models of a command.
type modelSet struct {
	ctx         context.Context
	sources     []evaluator.Source
	options     evaluator.Options
	approximate bool
	opened      []*openedModel

	engineTimeout time.Duration // of an answer of a UCI engine; 0 for the default
	started       []*uci.Engine // that players name
	used          []string      // names of sources that are engines
}

// openedModel is a model in use.
type openedModel struct {
	model   workers.Model
	clients []*evaluator.Client
	plan    plan.Evaluator
	answers record.Answers // to the fixed positions
	plays   bool           // it chooses moves
}

// asked returns whom the fixed positions are asked.
func (o *openedModel) asked() evaluator.Asked {
	return evaluator.Asked{Game: o.model.Game, Variant: o.model.Variant, Plays: o.plays}
}

// modelsFrom reads the flags. The caller closes the set.
func modelsFrom(c *cli.Context) (*modelSet, error) {
	s := &modelSet{ctx: c.Context, approximate: c.Bool(approximateFlag)}
	for _, text := range c.StringSlice(sourceFlag) {
		source, err := evaluator.ParseSource(text)
		if err != nil {
			return nil, usagef("%v", err)
		}
		s.sources = append(s.sources, source)
	}
	timeout := c.Duration(timeoutFlag)
	switch {
	case timeout <= 0:
		return nil, usagef("%s %v: want more than 0, such as 2m", timeoutFlag, timeout)
	case len(s.sources) == 0 && (c.IsSet(timeoutFlag) || s.approximate):
		return nil, usagef("flags --%s and --%s need --%s", timeoutFlag, approximateFlag, sourceFlag)
	}
	if c.IsSet(timeoutFlag) {
		s.engineTimeout = timeout
	}
	log := logOf(c)
	s.options = evaluator.Options{Start: startTime, Timeout: timeout, Log: c.App.ErrWriter, Notify: func(text string) { log.Warn(text) }}
	return s, nil
}

// Until makes a context end the wait for models that load.
func (s *modelSet) Until(ctx context.Context) { s.ctx = ctx }

// Close ends all evaluators. Their connections may be idle only.
func (s *modelSet) Close() {
	for _, o := range s.opened {
		o.close()
	}
}

// find returns a function that finds models for the positions of a game, or programs that choose moves.
func (s *modelSet) find(g encode.Game, variant string, plays bool) workers.Models {
	return func(name string) (*workers.Model, error) {
		for _, o := range s.opened {
			if o.model.Name == name && o.plays == plays {
				return &o.model, nil
			}
			if o.model.Name == name {
				return nil, fmt.Errorf("evaluator %s: eval=%[1]s asks it for values and own:%[1]s for moves: want two names", name)
			}
		}
		o, err := s.open(g, variant, name, plays)
		if err != nil {
			return nil, err
		}
		s.opened = append(s.opened, o)
		return &o.model, nil
	}
}

// open connects to all evaluators of a model and checks that they give the same answers.
func (s *modelSet) open(g encode.Game, variant, name string, plays bool) (*openedModel, error) {
	o := &openedModel{model: workers.Model{Name: name, Game: g, Variant: variant}, plays: plays}
	if err := s.connect(o); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// connect adds the evaluators of a model.
func (s *modelSet) connect(o *openedModel) error {
	hello, err := o.asked().Hello()
	if err != nil {
		return err
	}
	for _, source := range s.sources {
		if source.Name != o.model.Name {
			continue
		}
		client, err := evaluator.Connect(s.ctx, source, hello, s.options)
		if err != nil {
			return err
		}
		o.clients = append(o.clients, client)
		if err := s.check(o, client); err != nil {
			return err
		}
	}
	if len(o.clients) == 0 {
		return s.unknown(o.model.Name)
	}
	return nil
}

// close ends the evaluators of a model.
func (o *openedModel) close() {
	for _, c := range o.clients {
		c.Close()
	}
}

// check compares the answers of an evaluator with those of the first one of its model.
func (s *modelSet) check(o *openedModel, client *evaluator.Client) error {
	w := client.Welcome()
	answers, err := evaluator.Ask(s.ctx, client, o.asked(), w.Batch)
	approximate := errors.Is(err, evaluator.ErrNeighbours)
	if err != nil && !(approximate && s.approximate) {
		if approximate {
			return fmt.Errorf("evaluator %s: %w: evaluate batches of one shape (see docs/evaluators.md), or accept it with --%s", o.model.Name, err, approximateFlag)
		}
		return err
	}
	id := plan.Evaluator{Name: o.model.Name, Manifest: w.ManifestHash(), Approximate: s.approximate, Plays: o.plays}
	id.Fingerprint = answers.Digest(id.Manifest)
	if id.Approximate {
		id.Fingerprint = manifestDigest(id.Manifest)
	}
	own := record.Answers{Evaluator: id.Name, Values: answers.Values, Logits: answers.Logits}
	if len(o.clients) == 1 {
		o.plan, o.model.Batch, o.answers = id, w.Batch, own
	}
	if differ := evaluator.Difference(o.clients[0].Welcome(), w); differ != "" {
		return fmt.Errorf("evaluator %s: two of this name differ in %s", id.Name, differ)
	}
	if err := o.answers.Agree(own); err != nil && id == o.plan {
		return fmt.Errorf("evaluator %s: two of this name: %w", id.Name, err)
	}
	if id != o.plan {
		return fmt.Errorf("evaluator %s: two of this name have the same manifest, and %s: fingerprints %.12s and %.12s",
			id.Name, otherAnswers, o.plan.Fingerprint, id.Fingerprint)
	}
	o.model.Evaluators = append(o.model.Evaluators, client)
	client.Guard(o.recognise)
	return nil
}

// recognise asks an evaluator again for the fixed positions. The error is evaluator.ErrOther if its answers are not
// those of the model, whose manifest it has.
func (o *openedModel) recognise(ctx context.Context, e workers.Evaluator) error {
	again, err := evaluator.AskAgain(ctx, e, o.asked(), o.model.Batch)
	if err != nil {
		return err
	}
	if o.plan.Approximate {
		err = o.answers.Agree(record.Answers{Values: again.Values, Logits: again.Logits})
	} else if again.Digest(o.plan.Manifest) != o.plan.Fingerprint {
		err = errors.New("it answers the fixed positions otherwise")
	}
	if err != nil {
		err = fmt.Errorf("%w: %w", evaluator.ErrOther, err)
	}
	return err
}

// Recheck returns a function that asks all evaluators in use again for the fixed positions, nil if there are none. Its
// error is datasets.ErrNondeterminism if one answers otherwise than at the start.
func (s *modelSet) Recheck() func(context.Context) error {
	if s == nil || len(s.opened) == 0 {
		return nil
	}
	return func(ctx context.Context) error {
		for _, o := range s.opened {
			for _, c := range o.clients {
				err := o.recognise(ctx, c)
				switch {
				case errors.Is(err, evaluator.ErrOther):
					return fmt.Errorf("%w: evaluator %s: its model changed while it played (%w); a model must keep no state and not learn", datasets.ErrNondeterminism, o.model.Name, err)
				case ctx.Err() != nil:
					return context.Cause(ctx)
				case err != nil:
					return fmt.Errorf("%w: %w", datasets.ErrUnanswered, err)
				}
			}
		}
		return nil
	}
}

// manifestDigest returns the fingerprint of an approximate model: its answers are no part of it.
func manifestDigest(manifest string) string {
	sum := sha256.Sum256([]byte(manifest))
	return hex.EncodeToString(sum[:])
}

// unknown refuses the name of a model that no flag defines.
func (s *modelSet) unknown(name string) error {
	var names []string
	for _, source := range s.sources {
		names = append(names, source.Name)
	}
	return fmt.Errorf("no evaluator has this name%s: want --%s %s='COMMAND', or unix:PATH or tcp:HOST:PORT in place of the command",
		typo.DidYouMean(name, names, "%s"), sourceFlag, name)
}

// RefuseUnused returns an error if no player refers to a model or engine that a flag defines, or if no model can be
// approximate.
func (s *modelSet) RefuseUnused() error {
	if s.approximate && len(s.opened) == 0 && len(s.started) > 0 {
		return usagef("flag --%s is for models: a UCI engine must repeat its answers", approximateFlag)
	}
	for _, source := range s.sources {
		isModel := slices.ContainsFunc(s.opened, func(o *openedModel) bool { return o.model.Name == source.Name })
		if !isModel && !slices.Contains(s.used, source.Name) {
			return usagef("evaluator %s: no player uses it; use a player such as mcts:sims=200,eval=%[1]s or own:%[1]s", source.Name)
		}
	}
	return nil
}

// Plan returns what a plan says of the models and engines in use.
func (s *modelSet) Plan() (list []plan.Evaluator) {
	for _, o := range s.opened {
		list = append(list, o.plan)
	}
	for _, e := range s.started {
		list = append(list, e.Plan())
	}
	return list
}

// Answers returns those of approximate models in use, which a dataset keeps; none of a nil set.
func (s *modelSet) Answers() (list []record.Answers) {
	if s == nil {
		return nil
	}
	for _, o := range s.opened {
		if o.plan.Approximate {
			list = append(list, o.answers)
		}
	}
	return list
}

// Matches returns an error if a model or engine of a plan is not the one in use.
func (s *modelSet) Matches(p plan.Plan) error {
	for _, want := range p.Evaluators {
		for _, same := range s.Plan() {
			if same.Name != want.Name {
				continue
			}
			same.Approximate = want.Approximate
			if want.Approximate {
				same.Fingerprint = manifestDigest(same.Manifest)
			}
			if same != want {
				return usagef("evaluator %s: another %s played the games: its fingerprint begins with %.12s, this one's with %.12s%s",
					want.Name, want.Kind(), want.Fingerprint, same.Fingerprint, s.cause(want))
			}
		}
	}
	return nil
}

// otherAnswers says that only answers differ.
const otherAnswers = "only the answers to the fixed positions differ, as of other weights, devices or kernels"

// Explain adds to the differences of plans what distinguishes the models in use from those of the dataset.
func (s *modelSet) Explain(err error) error {
	var differ *datasets.PlanError
	if s == nil || !errors.As(err, &differ) {
		return err
	}
	for _, want := range differ.Found.Evaluators {
		i := slices.IndexFunc(differ.Differences, func(d plan.Difference) bool { return d.Setting == "evaluator "+want.Name })
		if i >= 0 {
			differ.Differences[i].Is += s.cause(want)
		}
	}
	return err
}

// cause says in what the model in use differs from that of a plan, as far as the sums of the plan tell; "" for engines.
func (s *modelSet) cause(want plan.Evaluator) string {
	for _, o := range s.opened {
		if o.plan.Name != want.Name || o.plan.Approximate != want.Approximate {
			continue
		}
		w := o.clients[0].Welcome()
		batch := w.BatchOf(want.Manifest)
		switch {
		case o.plan.Manifest == want.Manifest:
			return " (" + otherAnswers + ")"
		case batch > 0:
			return fmt.Sprintf(" (only the batch differs: %d there, %d here)", batch, w.Batch)
		default:
			return " (the manifest differs: program or files of the model, versions, or the runtime, here " + w.Runtime + ")"
		}
	}
	return ""
}

// Sources returns what names of players may refer to: models, UCI engines, and networks that find finds.
func (s *modelSet) Sources(g encode.Game, variant string, find workers.Networks) workers.Sources {
	sources := s.WithoutEngines(g, variant, find)
	sources.Externals = s.engines(g, variant)
	return sources
}

// WithoutEngines is Sources where players may not be UCI engines.
func (s *modelSet) WithoutEngines(g encode.Game, variant string, find workers.Networks) workers.Sources {
	return workers.Sources{Networks: find, Models: s.find(g, variant, false), Own: s.find(g, variant, true)}
}

// engines returns a function that finds UCI engines.
func (s *modelSet) engines(g encode.Game, variant string) workers.Externals {
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
func (s *modelSet) EngineOptions(variant string) uci.Options {
	return uci.Options{Variant: variant, Command: s.command, Timeout: s.engineTimeout, Notify: s.options.Notify}
}

// add adds an engine to those in use. One name cannot stand for two.
func (s *modelSet) add(e *uci.Engine) error {
	own := e.Plan()
	for _, o := range s.started {
		other := o.Plan()
		if other.Name == own.Name && other != own {
			return usagef("engine %s: two of this name have other options or answers: add name=NAME to one of them", own.Name)
		}
	}
	s.started = append(s.started, e)
	return nil
}

// command returns the command of an engine that a flag defines.
func (s *modelSet) command(name string) ([]string, error) {
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
