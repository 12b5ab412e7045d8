package colfile

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/parquet/file"

	"selfplay/encode"
	"selfplay/internal/must"
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
	must.Do(t, err)
	must.Do(t, w.Close())
	r := must.Get(file.NewParquetReader(bytes.NewReader(b.Bytes())))(t)
	defer r.Close()
	stored := r.MetaData().KeyValueMetadata().FindValue(arrowSchemaKey)
	if stored == nil {
		t.Fatal("no stored schema")
	}
	raw := must.Get(base64.StdEncoding.DecodeString(*stored))(t)
	schema := must.Get(ipc.NewReader(bytes.NewReader(raw)))(t)
	defer schema.Release()
	if got, _ := schema.Schema().Metadata().GetValue(kv.Key); got != kv.Value {
		t.Errorf("%s is %q, want %q", kv.Key, got, kv.Value)
	}
}
