package movetext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"selfplay/datasets/gamerow"
	"selfplay/engine"
)

// splitLines yields the lines of a text that are not empty, each of which is a game.
func splitLines(r io.Reader) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		lines, number := newLines(r), 0
		for {
			line, err := lines.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Text{}, err)
				return
			}
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			number++
			if !yield(Text{Number: number, Place: Place{Line: lines.number, Column: 1}, Bytes: bytes.Clone(line)}, nil) {
				return
			}
		}
	}
}

// lineParser parses the lines that appendLine writes.
type lineParser struct {
	*Parser
	results  []string // names, by number
	policies policies // of the game
}

func newLineParser(p *Parser) func(t *Text, r *engine.Record) error {
	parser := &lineParser{Parser: p, results: p.game.Results()}
	return func(t *Text, r *engine.Record) error {
		if err := parser.parse(t.Bytes, r); err != nil {
			return t.fault(0, err)
		}
		return nil
	}
}

// decodeLine decodes a line. What encoding/json would take in silence is refused: members that are there twice or in other
// case, a missing result, and text that is not UTF-8.
func decodeLine(text []byte) (l line, err error) {
	if !utf8.Valid(text) {
		return l, errors.New("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	wrong := (*json.UnmarshalTypeError)(nil)
	switch err := d.Decode(&l); {
	case errors.As(err, &wrong):
		return l, fmt.Errorf("member %q: %s does not fit", wrong.Field, wrong.Value)
	case err != nil:
		return l, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return l, errors.New("text after the object")
	}
	members, err := membersOf(json.NewDecoder(bytes.NewReader(text)))
	if err != nil {
		return l, err
	}
	for _, name := range members {
		if name != strings.ToLower(name) {
			return l, fmt.Errorf("unknown member %q: want %q", name, strings.ToLower(name))
		}
	}
	switch {
	case !slices.Contains(members, "result"):
		return l, errors.New(`no member "result"`)
	case len(l.Players) != 0 && len(l.Players) != 2:
		return l, fmt.Errorf("%d players: want 2", len(l.Players))
	}
	return l, nil
}

// membersOf reads a JSON value and returns the names of its members, none twice, if it is an object.
func membersOf(d *json.Decoder) (names []string, err error) {
	begin, err := d.Token()
	if err != nil || begin != json.Delim('{') && begin != json.Delim('[') {
		return nil, err
	}
	for d.More() {
		if begin == json.Delim('{') {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			names = append(names, name.(string))
		}
		if _, err := membersOf(d); err != nil {
			return nil, err
		}
	}
	sorted := slices.Sorted(slices.Values(names))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return nil, fmt.Errorf("member %q is given twice", sorted[i])
		}
	}
	_, err = d.Token() // the end
	return names, err
}

func (p *lineParser) parse(text []byte, r *engine.Record) error {
	l, err := decodeLine(text)
	if err != nil {
		return fmt.Errorf("parse line: %w", err)
	}
	for side, name := range l.Players {
		r.Players[side] = p.playerName([]byte(name))
	}
	if r.Start, err = p.begin(l.Start); err != nil {
		return err
	}
	if err := p.playAll(&l, r); err != nil {
		return err
	}
	if err := p.addOpening(l.Opening, r); err != nil {
		return err
	}
	if err := addLineScores(l.Scores, r); err != nil {
		return err
	}
	if err := p.policies.addTo(r); err != nil {
		return err
	}
	if err := addLineTags(l.Tags, r); err != nil {
		return err
	}
	r.Outcome, err = p.outcome(l.Result, l.Reason)
	return err
}

// playAll plays the moves and reads the policies on the way.
func (p *lineParser) playAll(l *line, r *engine.Record) error {
	switch {
	case len(l.Moves) == 0:
		return ErrNoMoves
	case len(l.Moves) > maxPlies:
		return errTooLong
	case len(l.Policies) > 0 && len(l.Policies) != len(l.Moves):
		return fmt.Errorf("%d policies for %d moves", len(l.Policies), len(l.Moves))
	}
	p.policies.reset()
	for ply, text := range l.Moves {
		if o := p.pos.Outcome(); o != engine.Ongoing && !isClaim(o.Reason) {
			return fmt.Errorf("ply %d: the game is over by %s", ply, p.game.ReasonName(o.Reason))
		}
		if len(l.Policies) > 0 {
			if err := p.policies.read(p.Parser, ply, l.Policies[ply]); err != nil {
				return fmt.Errorf("ply %d: policy: %w", ply, err)
			}
		}
		m, err := p.pos.ParseMove(text)
		if err != nil {
			return fmt.Errorf("ply %d: %w", ply, err)
		}
		p.play(m, r)
	}
	return nil
}

// addOpening adds the number of plies of the opening.
func (p *lineParser) addOpening(plies uint16, r *engine.Record) error {
	if int(plies) > len(r.Actions) {
		return fmt.Errorf("%d opening plies in a game of %d", plies, len(r.Actions))
	}
	r.OpeningPlies = plies
	return nil
}

// addLineScores adds the scores of a line, null for a ply without one.
func addLineScores(scores []*int16, r *engine.Record) error {
	if len(scores) == 0 {
		return nil
	}
	if len(scores) != len(r.Actions) {
		return fmt.Errorf("%d scores for %d moves", len(scores), len(r.Actions))
	}
	for ply, score := range scores {
		value, nodes := int16(0), uint32(0)
		if score != nil {
			value, nodes = *score, 1
		}
		if value >= maxScore || value <= -maxScore {
			return fmt.Errorf("ply %d: score %d: want -29999 to 29999", ply, value)
		}
		addScore(r, value, nodes)
	}
	return nil
}

// addLineTags adds the tags of a line.
func addLineTags(tags map[string]string, r *engine.Record) error {
	columns, names := gamerow.TagColumns(), []string(nil)
	for _, c := range columns {
		names = append(names, c.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(tags)) { // so that a bad game has one error
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown tag %q: want %s", name, strings.Join(names, ", "))
		}
	}
	addTags(r, func(i int) []byte { return []byte(tags[names[i]]) })
	for i, name := range names {
		if read := i < len(r.Tags) && r.Tags[i] != ""; !read && plainTag([]byte(tags[name])) != "" {
			want := "YYYY-MM-DD, YYYY-MM or YYYY"
			if gamerow.IsNumber(columns[i]) {
				want = "a whole number from 1 to 65535"
			}
			return fmt.Errorf("tag %s: %q: want %s", name, tags[name], want)
		}
	}
	return nil
}

// outcome returns the outcome of the moves on the board. The result of the line must be a
// possible one. Its reason may be missing, but not another one.
func (p *lineParser) outcome(result, reason string) (engine.Outcome, error) {
	said := slices.Index(p.results, result)
	if said < 0 {
		return engine.Ongoing, fmt.Errorf("unknown result %q: want one of %q", result, p.results)
	}
	o, err := p.settle(engine.Result(said))
	switch {
	case err != nil:
		return o, err
	case reason == "" && result == "", p.game.ReasonName(o.Reason) == reason && int(o.Result) == said:
		return o, nil
	case reason == "" && int(o.Result) == said:
		return o, nil
	}
	if _, known := p.game.Reason(reason); !known && reason != "" {
		return o, fmt.Errorf("unknown reason %q: want one of %q", reason, p.game.AllReasonNames())
	}
	return o, fmt.Errorf("result %q by %q: the moves give %q by %q", result, reason, p.results[o.Result], p.game.ReasonName(o.Reason))
}
