package uci

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/cmd/internal/evaluator"
	"selfplay/datasets/plan"
)

// Questions of the fingerprint: fixed positions and limits of a search. Fingerprints in plans depend on them. The limits
// are not those of the player: its searches may take minutes.
const (
	fixedPositions = 32
	fixedNodes     = 5000
	fixedDepth     = 5
)

// manifestVersion begins a manifest. It changes with the questions.
const manifestVersion = "uci 1"

// Plan returns what a plan says of the engine.
func (e *Engine) Plan() plan.Evaluator {
	manifest := sumOf(e.manifest())
	return plan.Evaluator{
		Name: e.spec.name, Engine: e.id, Manifest: manifest,
		Fingerprint: sumOf(manifest + strings.Join(e.answers, "\n")),
	}
}

// manifest names the engine and its options.
func (e *Engine) manifest() string {
	lines := []string{manifestVersion, e.id}
	for _, o := range e.spec.options {
		lines = append(lines, o.text())
	}
	return strings.Join(lines, "\n")
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// inOrder returns the numbers of the fixed positions.
func inOrder() []int {
	order := make([]int, fixedPositions)
	for i := range order {
		order[i] = i
	}
	return order
}

// recognise returns errOtherEngine if the engine no longer answers as it did. It starts a process of its own.
func (e *Engine) recognise(ctx context.Context) error {
	now := *e // ask sets the name
	answers, err := now.ask(ctx, inOrder())
	if err == nil && !slices.Equal(answers, e.answers) {
		err = fmt.Errorf("%w: it answers the fixed positions otherwise", errOtherEngine)
	}
	return err
}

// identify asks the engine its name, and a process and a second one about the fixed positions, in opposite orders.
func (e *Engine) identify(ctx context.Context) (err error) {
	order := inOrder()
	if e.answers, err = e.ask(ctx, order); err != nil {
		return err
	}
	slices.Reverse(order)
	again, err := e.ask(ctx, order)
	if err != nil {
		return err
	}
	for i, answer := range e.answers {
		if again[i] != answer {
			return fmt.Errorf("it answers %q to fixed position %d, and %q when it is asked again: want an engine and options that repeat themselves",
				answer, i, again[i])
		}
	}
	return nil
}

// ask starts a process and returns its answers to the fixed positions, which it is asked in some order: move, score and nodes.
func (e *Engine) ask(ctx context.Context, order []int) (answers []string, err error) {
	s := e.spec
	s.nodes, s.depth = fixedNodes, fixedDepth
	a := &asker{ctx: ctx, spec: &s, id: e.id, tries: 1}
	defer a.close()
	if err := a.open(); err != nil {
		return nil, err
	}
	if err := e.name(a.id); err != nil {
		return nil, err
	}
	answers = make([]string, len(order))
	anyScore := false
	for _, i := range order {
		answer, scored, err := e.answer(a, i)
		if err != nil {
			return nil, err
		}
		answers[i], anyScore = answer, anyScore || scored
	}
	if !anyScore {
		return nil, errors.New("it reports no scores")
	}
	return answers, nil
}

// answer returns the answer to fixed position i, and whether it has a score.
func (e *Engine) answer(a *asker, i int) (answer string, scored bool, err error) {
	pos := e.game.New(e.o.Variant)
	evaluator.SetFixed(pos, i)
	text, r, err := a.ask("position fen "+pos.String(), true)
	if err != nil {
		return "", false, err
	}
	m, err := parseBest(pos, text)
	if err != nil {
		return "", false, err
	}
	return fmt.Sprintf("%s %d %d", pos.FormatMove(m), r.score, r.counted()), r.scored, nil
}
