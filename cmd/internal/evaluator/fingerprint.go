package evaluator

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// Questions of the fingerprint. The positions are part of the protocol: fingerprints in plans depend on them.
const (
	fixedPositions = 256
	fixedSeed      = 2026
	fixedPlies     = 64 // position i follows i mod fixedPlies random plies
)

// ErrNeighbours means that the answer to a position depends on the others of its batch.
var ErrNeighbours = errors.New("the answer to a position depends on its place in the batch or on its neighbours")

// fixedQuestion is a question of the fingerprint and the text of its position.
type fixedQuestion struct {
	workers.Question
	text string
}

// fixedQuestions returns positions of random games with all their legal moves.
func fixedQuestions(g encode.Game, variant string) (list []*fixedQuestion, err error) {
	questioner, err := workers.NewQuestioner(&g)
	if err != nil {
		return nil, err
	}
	pos := g.New(variant)
	for i := range fixedPositions {
		SetFixed(pos, i)
		q := &fixedQuestion{text: pos.String()}
		questioner.Ask(&q.Question, pos, pos.Moves(nil))
		list = append(list, q)
	}
	return list, nil
}

// SetFixed sets pos to fixed position i, which follows some random plies. The game is not over there.
func SetFixed(pos engine.Position, i int) {
	pos.Reset()
	src := rand.NewPCG(fixedSeed, uint64(i))
	for range i % fixedPlies {
		if _, ok := pos.DoRandom(src); !ok {
			break
		}
	}
	if pos.Outcome() != engine.Ongoing {
		pos.Undo()
	}
}

// Answers are the answers to the fixed positions.
type Answers struct {
	Values []int16
	Logits [][]int16 // of the legal moves of each position
}

// Digest returns the SHA-256 of a manifest and of answers.
func (a *Answers) Digest(manifest string) string {
	sum := sha256.New()
	sum.Write([]byte(manifest))
	var b []byte
	for i, v := range a.Values {
		b = binary.LittleEndian.AppendUint16(b[:0], uint16(v))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(a.Logits[i])))
		for _, l := range a.Logits[i] {
			b = binary.LittleEndian.AppendUint16(b, uint16(l))
		}
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Ask evaluates the fixed positions twice: in order, and in another order in batches that are not full. The
// error is ErrNeighbours, with the answers, if the results differ.
func Ask(ctx context.Context, e workers.Evaluator, g encode.Game, variant string, batch int) (a Answers, err error) {
	list, err := fixedQuestions(g, variant)
	if err != nil {
		return a, err
	}
	if a, err = answersTo(ctx, e, list, batch); err != nil {
		return a, err
	}
	order := rand.New(rand.NewPCG(fixedSeed, fixedPositions)).Perm(len(list))
	shuffled := make([]*fixedQuestion, len(list))
	for i, k := range order {
		shuffled[i] = list[k]
	}
	if err := askAll(ctx, e, shuffled, max(1, batch*2/3)); err != nil {
		return a, err
	}
	for i, q := range list {
		if q.Value != a.Values[i] || !slices.Equal(q.Logits, a.Logits[i]) {
			return a, fmt.Errorf("position %q: %w", q.text, ErrNeighbours)
		}
	}
	return a, nil
}

// AskAgain evaluates the fixed positions once, in order.
func AskAgain(ctx context.Context, e workers.Evaluator, g encode.Game, variant string, batch int) (Answers, error) {
	list, err := fixedQuestions(g, variant)
	if err != nil {
		return Answers{}, err
	}
	return answersTo(ctx, e, list, batch)
}

// answersTo evaluates questions and returns their answers.
func answersTo(ctx context.Context, e workers.Evaluator, list []*fixedQuestion, batch int) (a Answers, err error) {
	if err := askAll(ctx, e, list, batch); err != nil {
		return a, err
	}
	for _, q := range list {
		a.Values = append(a.Values, q.Value)
		a.Logits = append(a.Logits, slices.Clone(q.Logits))
	}
	return a, nil
}

// askAll evaluates questions in batches of a size.
func askAll(ctx context.Context, e workers.Evaluator, list []*fixedQuestion, size int) error {
	for part := range slices.Chunk(list, size) {
		var batch []*workers.Question
		for _, q := range part {
			batch = append(batch, &q.Question)
		}
		err := e.Evaluate(ctx, batch)
		var wrong *workers.WrongAnswer
		if errors.As(err, &wrong) && wrong.Question >= 0 {
			return fmt.Errorf("position %q: %w", part[wrong.Question].text, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
