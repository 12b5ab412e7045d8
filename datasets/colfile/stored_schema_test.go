package colfile

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/encode"
)

// TestStoredSchemaHasTheMetadata: readers built on Arrow take the metadata of a Parquet file
// from the stored schema, if there is one.
func TestStoredSchemaHasTheMetadata(t *testing.T) {
	var b bytes.Buffer
	kv := encode.KeyValue{Key: "selfplay.perspective", Value: "mover"}
	w, err := newParquetWriter(&b, Spec{
		Format: Parquet, GroupRows: 8, Metadata: []encode.KeyValue{kv},
		Columns: []encode.Column{{Name: "board", Kind: encode.Uint8, Len: 4}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stored := r.MetaData().KeyValueMetadata().FindValue(arrowSchemaKey)
	if stored == nil {
		t.Fatal("no stored schema")
	}
	raw, err := base64.StdEncoding.DecodeString(*stored)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := ipc.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer schema.Release()
	if got, _ := schema.Schema().Metadata().GetValue(kv.Key); got != kv.Value {
		t.Errorf("%s is %q, want %q", kv.Key, got, kv.Value)
	}
}
