package colfile

import (
	"runtime"
	"sync"

	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// maxPage bounds what one page may unpack to: a page is a fraction of it, unless
// a single list is that long.
const maxPage = 1 << 28

// One encoder and one decoder serve the process: EncodeAll and DecodeAll may be
// called concurrently, and what they return depends on their input alone.
var (
	zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
		return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithZeroFrames(true),
			zstd.WithAllLitEntropyCompression(true), // action numbers have no matches, only a skew
			zstd.WithEncoderConcurrency(runtime.NumCPU())))
	})
	zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
		return must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.NumCPU()), zstd.WithDecoderMaxMemory(maxPage)))
	})
)

func must[T any](v T, err error) T {
	if err != nil {
		panic("datasets: " + err.Error()) // options are constants
	}
	return v
}

// zstdCodec replaces Arrow's own codec for zstd, which makes an encoder for every
// page and never closes it (2 kB of garbage a row), and panics on damaged input.
type zstdCodec struct{ compress.Codec }

func init() {
	original := must(compress.GetCodec(compress.Codecs.Zstd))
	compress.RegisterCodec(compress.Codecs.Zstd, zstdCodec{original})
}

// Encode compresses at level 1, the only level of this package.
func (zstdCodec) Encode(dst, src []byte) []byte { return zstdEncoder().EncodeAll(src, dst[:0]) }

// EncodeLevel is Encode.
func (c zstdCodec) EncodeLevel(dst, src []byte, _ int) []byte { return c.Encode(dst, src) }

// Decode returns nothing where src is damaged: the page reader then reports that
// the page has the wrong size.
func (zstdCodec) Decode(dst, src []byte) []byte {
	out, err := zstdDecoder().DecodeAll(src, dst[:0])
	if err != nil {
		return nil
	}
	return out
}
