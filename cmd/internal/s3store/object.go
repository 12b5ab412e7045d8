package s3store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"

	"github.com/minio/minio-go/v7"

	"selfplay/datasets/disk"
)

// object is an open object. It is a disk.File for reading; its reads come from blocks.
type object struct {
	s      *store
	key    string
	etag   string
	size   int64
	blocks *blocks

	offset int64 // of the next Read
}

var _ disk.File = (*object)(nil)

// part is the beginning of an object, which one request gives, together with its size and ETag.
type part struct {
	data []byte
	size int64 // of the object
	etag string
}

func newObject(s *store, key string, first part) *object {
	return &object{s: s, key: key, etag: first.etag, size: first.size, blocks: s.recent.blocksOf(key, first)}
}

// readFirst reads the beginning of an object.
func (s *store) readFirst(key string) (p part, err error) {
	err = s.attempt(firstBlock, func(ctx context.Context) (err error) {
		p, err = s.get(ctx, key, "", 0, firstBlock)
		return err
	})
	if statusOf(err) == http.StatusRequestedRangeNotSatisfiable {
		return part{}, nil // an empty object has no first byte
	}
	return p, s.explain("open", key, err)
}

// get reads n bytes of an object, or less at its end. With an ETag, the object must have it.
func (s *store) get(ctx context.Context, key, etag string, offset, n int64) (p part, err error) {
	var o minio.GetObjectOptions
	if err := o.SetRange(offset, offset+n-1); err != nil {
		return p, err
	}
	if etag != "" {
		o.Set("If-Match", `"`+etag+`"`)
	}
	body, info, header, err := s.client.GetObject(ctx, s.bucket, key, o)
	if err != nil {
		return p, err
	}
	defer body.Close()
	p.size, p.etag = info.Size, info.ETag
	if text := header.Get("Content-Range"); text != "" {
		var first, last int64
		if _, err := fmt.Sscanf(text, "bytes %d-%d/%d", &first, &last, &p.size); err != nil || first != offset {
			return p, fmt.Errorf("range %q instead of %d bytes at %d", text, n, offset)
		}
	} else if offset > 0 || p.size > n {
		return p, errors.New("the store ignores ranges")
	}
	p.data = make([]byte, min(n, p.size-offset))
	if _, err := io.ReadFull(body, p.data); err != nil {
		return p, fmt.Errorf("%w: %w", errCutOff, err)
	}
	return p, nil
}

// fetch reads a range of the object as it was when it was opened.
func (o *object) fetch(offset, n int64) (data []byte, err error) {
	err = o.s.attempt(n, func(ctx context.Context) error {
		p, err := o.s.get(ctx, o.key, o.etag, offset, n)
		data = p.data
		return err
	})
	if statusOf(err) == http.StatusPreconditionFailed {
		err = errChanged
	}
	return data, o.s.explain("read", o.key, err)
}

// ReadAt implements io.ReaderAt.
func (o *object) ReadAt(p []byte, offset int64) (n int, err error) {
	if offset < 0 {
		return 0, o.s.explain("read", o.key, fs.ErrInvalid)
	}
	for n < len(p) {
		if offset+int64(n) >= o.size {
			return n, io.EOF
		}
		found, err := o.blocks.read(p[n:], offset+int64(n), o)
		if err != nil {
			return n, err
		}
		n += found
	}
	return n, nil
}

// Read implements io.Reader. It may return less than it could, as files do.
func (o *object) Read(p []byte) (n int, err error) {
	if o.offset >= o.size {
		return 0, io.EOF
	}
	n, err = o.blocks.read(p, o.offset, o)
	o.offset += int64(n)
	return n, err
}

// Seek implements io.Seeker.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.offset
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return 0, o.s.explain("seek", o.key, fs.ErrInvalid)
	}
	o.offset = offset
	return offset, nil
}

// Stat describes the object.
func (o *object) Stat() (fs.FileInfo, error) { return entry{name: o.key, size: o.size}, nil }

// Write refuses: objects are written by publishing files.
func (o *object) Write([]byte) (int, error) {
	return 0, o.s.explain("write", o.key, errors.ErrUnsupported)
}

// Sync does nothing: the object is only read.
func (o *object) Sync() error { return nil }

// Close does nothing: no request is open.
func (o *object) Close() error { return nil }
