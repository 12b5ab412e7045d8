package export

import (
	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/ingest"
	"selfplay/datasets/movetext"
	"selfplay/datasets/sample"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Values returns the values that the flags of the commands complete to.
func Values(games encode.Catalog) map[string]app.Values {
	values := rowflags.Values(games)
	values["game"] = app.OneOf(games.Names()...)
	values["to"] = app.OneOf(datasets.Parquet, datasets.Arrow)
	values["split"] = app.OneOf(datasets.Train, datasets.Validation)
	values["boards"] = app.OneOf(boardsArray, boardsText)
	values["by"] = app.OneOf(sample.Names()...)
	values["sample format"] = app.OneOf(singleFileNames()...)
	values["mix format"] = app.OneOf(tablefile.Names()...)
	values["import format"] = app.OneOf(ingest.Names()...)
	values["convert format"] = app.OneOf(append(tablefile.Names(), movetext.Names()...)...)
	return values
}
