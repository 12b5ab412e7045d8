package byteorder

import (
	"encoding/binary"
	"strings"
	"testing"
)

func TestBigEndianIsRefusedInOneLine(t *testing.T) {
	if err := check(binary.LittleEndian); err != nil {
		t.Errorf("little-endian: %v", err)
	}
	err := check(binary.BigEndian)
	if err == nil || !strings.HasPrefix(err.Error(), "big-endian machines are not supported") || strings.Contains(err.Error(), "\n") {
		t.Errorf("big-endian: %v", err)
	}
}

func TestThisMachineIsSupported(t *testing.T) {
	if err := check(binary.NativeEndian); err != nil {
		t.Error(err)
	}
}
