package colfile

import (
	"bytes"
	"runtime"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// One encoder and one decoder serve the process: EncodeAll and DecodeAll are safe for
// concurrent use, and their output depends on the input only.
var (
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		return mustMake(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true),
			zstd.WithAllLitEntropyCompression(true), // action numbers have no matches, only skewed frequencies
			zstd.WithEncoderCRC(true),               // libzstd checks it: readers of others notice a flipped bit
			zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(runtime.NumCPU())))
	})
	zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
		return mustMake(zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.NumCPU()), zstd.WithDecoderMaxMemory(maxPage),
			zstd.WithDecodeAllCapLimit(true))) // a page is never larger than its header states
	})
)

// zstdWindow is the distance at which the encoder looks for matches: a whole page, except for
// pages of one very long list or string. A machine has an encoder per processor.
const zstdWindow = 256 << 10

func mustMake[T any](v T, err error) T {
	if err != nil {
		panic("colfile: " + err.Error()) // cannot happen: the options are constants
	}
	return v
}

// zstdCodec replaces Arrow's codec for zstd, which allocates an encoder for every page
// (2 kB of garbage per row) and never closes it. Readers decompress without a codec.
type zstdCodec struct{ compress.Codec }

func init() {
	original := mustMake(compress.GetCodec(compress.Codecs.Zstd))
	compress.RegisterCodec(compress.Codecs.Zstd, zstdCodec{original})
}

// Encode compresses src at level 1, the only level that this package uses.
func (zstdCodec) Encode(dst, src []byte) []byte { return zstdEncoder().EncodeAll(src, dst[:0]) }

// EncodeLevel is Encode; it ignores the level.
func (c zstdCodec) EncodeLevel(dst, src []byte, _ int) []byte { return c.Encode(dst, src) }

// scratch is memory that a writer borrows while it adds rows. The slices that it returns are
// valid until the next call.
type scratch struct {
	body         []byte // a page before compression
	packed       []byte // a page after compression
	labels       []byte // the last page of labels before compression
	packedLabels []byte // and after it
}

// scratches are shared by all writers: of many open shards only a few add rows at a time.
var scratches = sync.Pool{New: func() any { return new(scratch) }}

// pack returns a compressed page.
func (s *scratch) pack(body []byte) []byte {
	s.packed = zstdEncoder().EncodeAll(body, s.packed[:0])
	return s.packed
}

// packLabels is pack for a page of labels. In games without a search the pages of the best
// actions are those of the actions, so an equal page is compressed only once.
func (s *scratch) packLabels(body []byte) []byte {
	if !bytes.Equal(body, s.labels) {
		s.labels = append(s.labels[:0], body...)
		s.packedLabels = zstdEncoder().EncodeAll(body, s.packedLabels[:0])
	}
	return s.packedLabels
}
