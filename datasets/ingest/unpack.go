package ingest

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxNesting bounds archives in archives.
const maxNesting = 4

// maxWindow is the largest window of a zstd frame that is read: what zstd reads without --long.
const maxWindow = 128 << 20

// Beginnings of files.
var (
	gzipMagic  = []byte{0x1f, 0x8b}
	zstdMagic  = []byte{0x28, 0xb5, 0x2f, 0xfd}
	bzip2Magic = []byte("BZh")
	tarMagic   = []byte("ustar") // at tarOffset
)

const tarOffset = 257

// unread are formats that this program does not unpack, and the programs that do.
var unread = []struct{ magic, format, program string }{
	{"\xfd7zXZ\x00", "xz", "xz -dc"},
	{"PK\x03\x04", "zip", "unzip -p"},
	{"7z\xbc\xaf\x27\x1c", "7z", "7z x -so"},
	{"\x04\x22\x4d\x18", "lz4", "lz4 -dc"},
}

// walk calls visit for the content of a stream, unpacked as its bytes say, and of an archive
// for every regular file with one of the extensions. name is that of the stream.
func walk(name string, r io.Reader, exts []string, nesting int, visit func(name string, r io.Reader) error) error {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if nesting > maxNesting {
		return fmt.Errorf("read %s: archives in archives, more than %d deep", name, maxNesting)
	}
	for _, u := range unread {
		if bytes.HasPrefix(head, []byte(u.magic)) {
			return fmt.Errorf("read %s: %s is not read: unpack it first, with %s", name, u.format, u.program)
		}
	}
	inner, err := decompressor(head, b)
	switch {
	case err != nil:
		return fmt.Errorf("read %s: %w", name, err)
	case inner != nil:
		defer inner.Close()
		return walk(name, unpacking{inner}, exts, nesting+1, visit)
	case len(head) > tarOffset && bytes.HasPrefix(head[tarOffset:], tarMagic):
		return walkTar(name, b, exts, nesting, visit)
	}
	return visit(name, b)
}

// decompressor returns a reader of the content of a compressed stream that begins with head, or
// nil if it is not compressed.
func decompressor(head []byte, r io.Reader) (io.ReadCloser, error) {
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return gzip.NewReader(r)
	case bytes.HasPrefix(head, bzip2Magic):
		return io.NopCloser(bzip2.NewReader(r)), nil
	case bytes.HasPrefix(head, zstdMagic):
		z, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return nil, nil
}

// unpacking says of the errors of a stream that they are not those of the file.
type unpacking struct{ r io.Reader }

func (u unpacking) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("unpack: %w", err)
	}
	return n, err
}

// walkTar walks the files of an archive.
func walkTar(name string, r io.Reader, exts []string, nesting int, visit func(name string, r io.Reader) error) error {
	t, found := tar.NewReader(r), false
	for {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF) && !found:
			return fmt.Errorf("read %s: the archive has no file with the extension %s", name, strings.Join(exts, " or "))
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read %s: %w", name, err)
		case h.Typeflag != tar.TypeReg || !hasExt(h.Name, exts):
			continue
		}
		found = true
		if err := walk(name+":"+h.Name, t, exts, nesting+1, visit); err != nil {
			return err
		}
	}
}

// packed are the extensions of compressed files and of archives.
var packed = []string{".gz", ".bz2", ".zst", ".tar", ".tgz"}

// hasExt reports whether a file of an archive may hold games. Names that begin with a dot are
// notes of file systems.
func hasExt(name string, exts []string) bool {
	base := strings.ToLower(path.Base(name))
	for slices.Contains(packed, path.Ext(base)) {
		if ext := path.Ext(base); ext == ".tar" || ext == ".tgz" {
			return true
		}
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	return !strings.HasPrefix(base, ".") && slices.Contains(exts, path.Ext(base))
}
