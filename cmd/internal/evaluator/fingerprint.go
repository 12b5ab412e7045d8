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

// Asked says whom the fixed positions are asked: a model of a game, or a program that chooses moves.
type Asked struct {
	Game    encode.Game
	Variant string
	Plays   bool
}

// questions returns positions of random games with all their legal moves.
func (w *Asked) questions() (list []*fixedQuestion, err error) {
	var questioner workers.Questioner
	if !w.Plays {
		questioner, err = workers.NewQuestioner(&w.Game)
		if err != nil {
			return nil, err
		}
	}
	history := workers.NewHistory(&w.Game, w.Variant)
	pos := w.Game.New(w.Variant)
	for i := range fixedPositions {
		var rec engine.Record
		for _, m := range SetFixed(pos, i) {
			rec.Actions = append(rec.Actions, w.Game.Actions.Number(m))
		}
		q := &fixedQuestion{text: pos.String()}
		if w.Plays {
			history.Begin(&rec)
			err = history.AskTurn(&q.Question, pos, pos.Moves(nil), uint64(i))
		} else {
			questioner.Ask(&q.Question, pos, pos.Moves(nil))
		}
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	return list, nil
}

// SetFixed sets pos to fixed position i, which follows some random plies, and returns these. The game is not over there.
func SetFixed(pos engine.Position, i int) (moves []engine.Move) {
	pos.Reset()
	src := rand.NewPCG(fixedSeed, uint64(i))
	for range i % fixedPlies {
		m, ok := pos.DoRandom(src)
		if !ok {
			break
		}
		moves = append(moves, m)
	}
	if pos.Outcome() != engine.Ongoing {
		pos.Undo()
		moves = moves[:len(moves)-1]
	}
	return moves
}

// Answers are the answers to the fixed positions: values and logits of a model, or moves.
type Answers struct {
	Values []int16
	Logits [][]int16 // of the legal moves of each position
	Moves  []string  // see workers.Turn
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
	for _, m := range a.Moves {
		sum.Write([]byte(m + "\n"))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Ask evaluates the fixed positions twice: in order, and in another order in batches that are not full. The
// error is ErrNeighbours, with the answers, if the results differ.
func Ask(ctx context.Context, e workers.Evaluator, w Asked, batch int) (a Answers, err error) {
	list, err := w.questions()
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
		if !a.has(i, &q.Question) {
			return a, fmt.Errorf("position %q: %w", q.text, ErrNeighbours)
		}
	}
	return a, nil
}

// add adds the answer to a question.
func (a *Answers) add(q *workers.Question) {
	if q.Turn != nil {
		a.Moves = append(a.Moves, q.Turn.Answer())
		return
	}
	a.Values = append(a.Values, q.Value)
	a.Logits = append(a.Logits, slices.Clone(q.Logits))
}

// has reports whether answer i is that to a question.
func (a *Answers) has(i int, q *workers.Question) bool {
	if q.Turn != nil {
		return a.Moves[i] == q.Turn.Answer()
	}
	return q.Value == a.Values[i] && slices.Equal(q.Logits, a.Logits[i])
}

// AskAgain evaluates the fixed positions once, in order.
func AskAgain(ctx context.Context, e workers.Evaluator, w Asked, batch int) (Answers, error) {
	list, err := w.questions()
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
		a.add(&q.Question)
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
