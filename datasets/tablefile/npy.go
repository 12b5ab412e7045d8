package tablefile

import (
	"encoding/binary"
	"fmt"
	"strings"

	"selfplay/encode"
)

// dtypes are NumPy's names of the kinds. A string is stored as bytes.
var dtypes = map[encode.Kind]string{
	encode.Bool:   "|b1",
	encode.Uint8:  "|u1",
	encode.Uint16: "<u2",
	encode.Uint32: "<u4",
	encode.Uint64: "<u8",
	encode.Int8:   "|i1",
	encode.Int16:  "<i2",
	encode.String: "|u1",
}

// headerNPY returns the header of an .npy file, version 1.0. The values follow the header,
// little endian, in C order.
func headerNPY(dtype string, shape ...uint64) []byte {
	const fixed, align = 10, 64 // bytes before the text; alignment of the values
	var axes strings.Builder
	for i, n := range shape {
		if i > 0 {
			axes.WriteByte(' ')
		}
		fmt.Fprintf(&axes, "%d,", n)
	}
	text := axes.String()
	if len(shape) > 1 {
		text = strings.TrimSuffix(text, ",") // only a tuple of one element has a trailing comma
	}
	text = fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype, text)
	text += strings.Repeat(" ", align-1-(fixed+len(text))%align) + "\n"
	header := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text)))
	return append(header, text...)
}
