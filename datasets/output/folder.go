package output

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"selfplay/datasets/plan"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
)

// Names of the files that describe the others.
const (
	metadataName = "metadata.json" // the meaning of the numbers
	sumsName     = "SHA256SUMS"    // as sha256sum -c reads it
	indexSuffix  = "-index.json"   // after the name of a split
)

// Document is a file that is made in memory.
type Document struct {
	Name string
	Data []byte
}

// Describe adds the files that describe the others: metadata.json, an index for each split
// if index is set, the further documents, and SHA256SUMS. It returns all files.
func (o *Output) Describe(files []*File, metadata []encode.KeyValue, index bool, more ...Document) ([]*File, error) {
	small := append([]Document{{metadataName, tablefile.MetadataJSON(metadata)}}, more...)
	if index {
		small = append(small, indexes(files)...)
	}
	for _, s := range small {
		f, err := o.writeSmall(s)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	sums, err := o.writeSmall(Document{sumsName, sums(files)})
	return append(files, sums), err
}

func (o *Output) writeSmall(s Document) (*File, error) {
	f, err := o.Create(s.Name, "", false)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(s.Data)
	return f, f.Finish(err)
}

// sums returns the content of SHA256SUMS.
func sums(files []*File) []byte {
	var b bytes.Buffer
	for _, f := range slices.SortedFunc(slices.Values(files), func(a, b *File) int { return strings.Compare(a.Name, b.Name) }) {
		fmt.Fprintf(&b, "%x  %s\n", f.SHA256(), f.Name)
	}
	return b.Bytes()
}

// indexes returns an index of the files of each split.
func indexes(files []*File) (list []Document) {
	for _, split := range []string{plan.Train, plan.Validation} {
		var shards []tablefile.Shard
		for _, f := range files {
			if f.Split == split {
				shards = append(shards, tablefile.Shard{URL: f.Name, MD5: hex.EncodeToString(f.md5.Sum(nil)), Rows: f.Rows, FileSize: f.Bytes})
			}
		}
		if len(shards) > 0 {
			list = append(list, Document{split + indexSuffix, tablefile.WIDS(split, shards)})
		}
	}
	return list
}
