package export

import (
	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets/ingest"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/sample"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Values returns the values that the flags of the commands complete to.
func Values(games encode.Catalog) map[string]app.Values {
	values := rowflags.Values(games)
	values["game"] = app.OneOf(games.Names()...)
	values["to"] = app.OneOf(plan.Parquet, plan.Arrow)
	values["split"] = app.OneOf(plan.Train, plan.Validation)
	values["boards"] = app.OneOf(boardsArray, boardsText)
	values["by"] = app.OneOf(sample.Names()...)
	values["sample format"] = app.OneOf(singleFileNames()...)
	values["mix format"] = app.OneOf(tablefile.Names()...)
	values["import format"] = app.OneOf(ingest.Names()...)
	values["convert format"] = app.OneOf(append(tablefile.Names(), movetext.Names()...)...)
	return values
}
