// Package canonical writes and reads the JSON of a dataset. One value has many texts in JSON; a dataset
// has only the one of this package, so that equal datasets have equal bytes and hashes: fields in the
// order of their type, no HTML escapes, and either no white space or two spaces a level.
//
//   - json.go: values, their hash and their text
//   - indent.go: indented text, and parts of it for long files
package canonical
