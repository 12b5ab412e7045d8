// Package derived writes the files of a dataset that follow from its plan and its commit records: the
// card (README.md) for people, croissant.json for programs, and the manifest, which vouches for both.
// They can be written again at any time. Their texts may change between versions of the program,
// because the manifest has the sums of the texts that were written.
//
//   - derived.go: which files are outdated, and how they are replaced
//   - card.go, card_info.go, humanize.go: the card, from the template card.tmpl
//   - croissant.go, croissant_schema.go, croissant_tables.go: croissant.json
package derived
