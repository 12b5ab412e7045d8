package export

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/human"
	"selfplay/datasets/disk"
	"selfplay/datasets/ingest"
	"selfplay/datasets/movetext"
	"selfplay/datasets/output"
	"selfplay/encode"
)

// namedBad is the number of bad games that the log names. --bad has all of them.
const namedBad = 20

// badGames collects the games that were not taken.
type badGames struct {
	strict bool
	file   string // of --bad

	first []ingest.Bad // at most namedBad
	all   bytes.Buffer // JSON lines, if there is a file
	n     int
}

// add adds a bad game.
func (b *badGames) add(bad ingest.Bad) error {
	b.n++
	if len(b.first) < namedBad {
		b.first = append(b.first, bad)
	}
	if b.file == "" {
		return nil
	}
	return encode.NewJSON(&b.all).Encode(bad)
}

// report names the bad games, and refuses an import of none or, with --strict, of some.
func (b *badGames) report(c *cli.Context, good uint64) error {
	log := app.Log(c)
	for _, bad := range b.first {
		log.Warn("bad game", append(append([]any{"file", bad.File, "game", bad.Game}, bad.Pairs()...), "why", bad.Why)...)
	}
	if b.n > 0 {
		log.Warn("bad games were left out", "bad", b.n, "named", len(b.first), "imported", good)
	}
	if err := b.write(); err != nil {
		return err
	}
	switch {
	case good == 0 && b.n == 0:
		return app.Usage("import games: the files have no games with moves")
	case good == 0:
		return app.Usage("import games: no good game and %s, the first: %v", human.Count(b.n, "bad game"), b.first[0])
	case b.strict && b.n > 0:
		return app.Usage("import games: %s, the first: %v", human.Count(b.n, "bad game"), b.first[0])
	}
	return nil
}

// write writes the file of --bad. The same import writes it again, so an equal one may exist.
func (b *badGames) write() error {
	if b.file == "" {
		return nil
	}
	old, err := disk.ReadRegular(b.file, disk.MaxFile)
	switch {
	case err == nil && bytes.Equal(old, b.all.Bytes()):
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return app.Usage("write %s: it already exists: move it away", b.file)
	}
	_, err = output.WriteFile(b.file, false, func(f *output.File) error {
		_, err := f.Write(b.all.Bytes())
		return err
	})
	return explainOutput(b.file, err)
}

// reportNotes says what the files have and the dataset has not, or has in another way.
func reportNotes(c *cli.Context, games *ingest.Games, wholePawns bool) {
	log := app.Log(c)
	if n := games.Empty(); n > 0 {
		log.Info("games without moves were left out", "empty", n)
	}
	unit := "centipawns"
	if wholePawns {
		unit = "pawns"
	}
	for remark, text := range [...]string{
		movetext.UnreadScores:  "comments look like scores and were not read",
		movetext.WholeScores:   "scores without a decimal point were taken as " + unit,
		movetext.DroppedRights: "start positions had castling rights without king or rook at home, which were dropped",
		movetext.CutComments:   "games have so long comments that not all of them were read",
	} {
		n := &games.Notes[remark]
		if n.Count > 0 {
			log.Warn(text, append(append([]any{"count", n.Count, "file", n.File}, n.Pairs()...), "first", n.Text)...)
		}
	}
}
