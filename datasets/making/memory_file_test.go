package making

import (
	"bytes"
	"errors"
	"io/fs"
	"time"

	"selfplay/datasets/disk"
)

// memoryFolder is a folder that is open as a file. It cannot be read.
type memoryFolder struct{ disk.File }

func (memoryFolder) Read([]byte) (int, error) { return 0, errors.New("is a directory") }
func (memoryFolder) Close() error             { return nil }

// memoryFile is an open file: a new one for writing, or an existing one for reading.
type memoryFile struct {
	*bytes.Reader
	disk  *memoryDisk
	inode *memoryInode
}

func (f *memoryFile) Write(p []byte) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.inode.data = append(f.inode.data, p...)
	return len(p), nil
}

func (f *memoryFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	f.inode.synced = bytes.Clone(f.inode.data)
	return nil
}

func (f *memoryFile) Close() error { return nil }

type memoryInfo struct {
	name  string
	inode *memoryInode
}

func (i memoryInfo) Name() string       { return i.name }
func (i memoryInfo) Size() int64        { return int64(len(i.inode.data)) }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.inode.folder }
func (i memoryInfo) Sys() any           { return nil }

func (i memoryInfo) Mode() fs.FileMode {
	if i.inode.folder {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
