package colfile

import (
	"bytes"
	"context"

	"github.com/apache/thrift/lib/go/thrift"

	"selfplay/datasets/internal/fault"
)

// Footers and page headers of Parquet are structs in Thrift's compact protocol. Arrow's parser
// allocates as many elements as a list claims to have. So they are first walked over without an
// allocation for a claim, in which each element needs the bytes that it takes at least.

// maxThriftDepth bounds the nesting of structs and lists. Parquet's takes under ten.
const maxThriftDepth = 32

// thriftReader reads a struct.
type thriftReader struct {
	thrift.TProtocol
	left *bytes.Buffer
}

func newThriftReader(data []byte) thriftReader {
	left := bytes.NewBuffer(data)
	limits := &thrift.TConfiguration{MaxMessageSize: int32(len(data))}
	return thriftReader{thrift.NewTCompactProtocolConf(&thrift.TMemoryBuffer{Buffer: left}, limits), left}
}

// checkStructure returns an error unless data begins with a struct.
func checkStructure(data []byte) error {
	err := thrift.Skip(context.Background(), newThriftReader(data), thrift.STRUCT, maxThriftDepth)
	if err != nil {
		return fault.Corrupt("read structure: %w", err)
	}
	return nil
}

// fields calls visit with each field of a struct. It has to read the value, or to skip it.
func (r thriftReader) fields(visit func(id int16, kind thrift.TType) error) error {
	ctx := context.Background()
	if _, err := r.ReadStructBegin(ctx); err != nil {
		return err
	}
	for {
		_, kind, id, err := r.ReadFieldBegin(ctx)
		if err != nil {
			return err
		}
		if kind == thrift.STOP {
			return r.ReadStructEnd(ctx)
		}
		if err := visit(id, kind); err != nil {
			return err
		}
	}
}

// integers reads the value of a field. It keeps the integers of the first fields, numbered from 1,
// in the given places.
func (r thriftReader) integers(id int16, kind thrift.TType, places ...*int64) error {
	ctx := context.Background()
	if kind != thrift.I32 || id < 1 || int(id) > len(places) {
		return thrift.Skip(ctx, r, kind, maxThriftDepth)
	}
	value, err := r.ReadI32(ctx)
	*places[id-1] = int64(value)
	return err
}
