package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"selfplay/datasets/disk"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/journal"
	"selfplay/datasets/plan"
)

// Answers are those of a model to fixed positions. The fingerprint of an approximate model does not cover
// them, because they vary a little. So a dataset keeps the answers that it was begun with, in
// .selfplay/answers/NAME.json, and runs whose model answers otherwise are refused. Neither the plan nor any
// data file depends on them.
type Answers struct {
	Evaluator string    `json:"evaluator"` // name in the plan
	Values    []int16   `json:"values"`    // expected results in 1/16384
	Logits    [][]int16 `json:"logits"`    // of the legal moves of each position, in hundredths

	// Sum is the SHA-256 of the canonical JSON with an empty Sum.
	Sum string `json:"sum"`
}

// sum returns the value that Sum must have.
func (a Answers) sum() string {
	a.Sum = ""
	return canonical.Hash(a)
}

// Answers agree if values are within 1/100 of their range, and logits within 0.1 and 1/50 of their size. Residual
// networks of 6 and 20 blocks in PyTorch on a processor, evaluated in batches of 1 to 256, gave values that
// differ by at most 1/2000 and logits by 1/100 in float32 and by 1/128 of the largest ones in bfloat16.
const (
	valueTolerance = 2 * 16384 / 100
	logitTolerance = 10
	logitPart      = 50
)

// AnswersName returns the name of the file with the answers of a model.
func AnswersName(evaluator string) string {
	return path.Join(plan.AnswersFolder, evaluator+".json")
}

// AnswersAdvice says what to do without the answers of a model.
const AnswersAdvice = "nothing else tells whether a model is the one that began the dataset: copy the file from a backup, " +
	"or leave the dataset as it stands, with finalize --as-it-stands"

// hasGames reports whether a dataset may have games of a model: committed ones or others.
func hasGames(d disk.Dir) bool {
	for _, folder := range []string{plan.CommitsFolder, plan.Games, journal.Folder} {
		if names, err := d.List(folder); len(names) > 0 || err != nil {
			return true
		}
	}
	return false
}

// ReadAnswers reads the answers of a model. Without them the error is fs.ErrNotExist if the dataset has no games yet, and
// ErrCorrupt otherwise.
func ReadAnswers(d disk.Dir, evaluator string) (a Answers, err error) {
	name := AnswersName(evaluator)
	data, err := d.ReadFile(name)
	lost := errors.Is(err, fs.ErrNotExist) && hasGames(d)
	if lost {
		data, err = d.ReadFile(name) // another task may have written answers and games meanwhile
	}
	if err == nil {
		err = canonical.Unmarshal(data, &a)
	}
	switch {
	case err != nil:
	case a.sum() != a.Sum:
		err = fault.Corrupt("its answers have another sum than %.12s, which it names", a.Sum)
	case a.Evaluator != evaluator || len(a.Logits) != len(a.Values):
		err = fault.Corrupt("not the answers of evaluator %s", evaluator)
	}
	if lost && errors.Is(err, fs.ErrNotExist) {
		err = fault.Corrupt("missing")
	}
	if errors.Is(err, fault.ErrCorrupt) {
		err = fmt.Errorf("%w; %s", err, AnswersAdvice)
	}
	if err != nil {
		return Answers{}, &fault.FileError{Op: "read", Path: name, Err: err}
	}
	return a, nil
}

// KeepAnswers stores answers, unless the dataset has those of the model. Then they must agree.
func KeepAnswers(d disk.Dir, a Answers) error {
	if err := d.MakeFolders(plan.AnswersFolder); err != nil {
		return err
	}
	if err := CheckAnswers(d, a); err != nil {
		return err
	}
	a.Sum = a.sum()
	err := d.Create(AnswersName(a.Evaluator), canonical.Marshal(a))
	if errors.Is(err, fs.ErrExist) {
		return CheckAnswers(d, a)
	}
	if err != nil {
		return err
	}
	return d.FS.SyncDir(d.Path(disk.Hidden))
}

// CheckAnswers compares answers with those of the dataset, if it has any.
func CheckAnswers(d disk.Dir, a Answers) error {
	stored, err := ReadAnswers(d, a.Evaluator)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if err := stored.Agree(a); err != nil {
		return fmt.Errorf("evaluator %s: it does not answer as the one that began the dataset: %w", a.Evaluator, err)
	}
	return nil
}

// ErrAnswers means that two models answer fixed positions differently.
var ErrAnswers = errors.New("the models are not the same")

// Agree returns ErrAnswers if b differs from a by more than approximate answers do.
func (a Answers) Agree(b Answers) error {
	if len(a.Values) != len(b.Values) {
		return fmt.Errorf("answers to %d and %d positions: %w", len(a.Values), len(b.Values), ErrAnswers)
	}
	for i, v := range a.Values {
		if distance(v, b.Values[i]) > valueTolerance {
			return fmt.Errorf("fixed position %d has the value %.3f, and had %.3f: %w", i, value(b.Values[i]), value(v), ErrAnswers)
		}
		if err := agreeLogits(a.Logits[i], b.Logits[i]); err != nil {
			return fmt.Errorf("fixed position %d has %w", i, err)
		}
	}
	return nil
}

// agreeLogits is Agree for the logits of one position.
func agreeLogits(a, b []int16) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d legal moves, and had %d: %w", len(b), len(a), ErrAnswers)
	}
	for i, l := range a {
		if distance(l, b[i]) > logitTolerance+distance(l, 0)/logitPart {
			return fmt.Errorf("the logit %.2f of move %d, and had %.2f: %w", float64(b[i])/100, i, float64(l)/100, ErrAnswers)
		}
	}
	return nil
}

func distance(a, b int16) int { return max(int(a)-int(b), int(b)-int(a)) }

func value(v int16) float64 { return float64(v) / 16384 }
