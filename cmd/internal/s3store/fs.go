package s3store

import (
	"context"
	"errors"
	"io/fs"

	"github.com/minio/minio-go/v7"

	"selfplay/datasets/disk"
)

// The methods of disk.FS. Local files are left to the operating system.

// MkdirAll makes local folders. A store has none.
func (s *store) MkdirAll(file string) error {
	if _, remote := s.name(file); remote {
		return nil
	}
	return disk.OS{}.MkdirAll(file)
}

// Create makes a local file. Objects are published by Link and Rename.
func (s *store) Create(file string) (disk.File, error) {
	if name, remote := s.name(file); remote {
		return nil, s.explain("create", s.key(name), errors.ErrUnsupported)
	}
	return disk.OS{}.Create(file)
}

// Open opens an object for reading, or a local file.
func (s *store) Open(file string) (disk.File, error) {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.Open(file)
	}
	first, err, found := s.ahead.take(s, name)
	if !found {
		first, err = s.readFirst(s.key(name))
	}
	if err != nil {
		return nil, err
	}
	return newObject(s, s.key(name), first), nil
}

// ReadDir lists a folder. One without objects does not exist.
func (s *store) ReadDir(file string) ([]fs.DirEntry, error) {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.ReadDir(file)
	}
	changes := s.listings.changes(name)
	entries, err := s.list(name)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, s.explain("list", s.key(name), fs.ErrNotExist)
	}
	s.listings.keep(name, entries, changes)
	s.ahead.begin(name, entries)
	return entries, nil
}

// Stat describes an object, from a listing if one shows it.
func (s *store) Stat(file string) (fs.FileInfo, error) {
	name, remote := s.name(file)
	if !remote {
		return disk.OS{}.Stat(file)
	}
	if e, found := s.listings.find(s, name); found {
		return e, nil
	}
	return s.head(name)
}

// head asks for an object by its name.
func (s *store) head(name string) (e entry, err error) {
	key := s.key(name)
	err = s.attempt(0, func(ctx context.Context) error {
		info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
		e = entry{name: info.Key, size: info.Size, changed: info.LastModified}
		return err
	})
	return e, s.explain("stat", key, err)
}

// Lstat knows local files only: in a store nothing can be in the place of a folder.
func (s *store) Lstat(file string) (fs.FileInfo, error) {
	if name, remote := s.name(file); remote {
		return nil, s.explain("lstat", s.key(name), fs.ErrNotExist)
	}
	return disk.OS{}.Lstat(file)
}

// Remove deletes an object or a local file.
func (s *store) Remove(root, name string) error {
	if disk.IsLocal(name) {
		return disk.OS{}.Remove(root, name)
	}
	s.listings.forget(name)
	defer s.listings.forget(name)
	key := s.key(name)
	err := s.attempt(0, func(ctx context.Context) error {
		return s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{})
	})
	return s.explain("remove", key, err)
}

// SyncDir syncs a local folder. A store confirms a PUT only when the object is durable.
func (s *store) SyncDir(file string) error {
	if _, remote := s.name(file); remote {
		return nil
	}
	return disk.OS{}.SyncDir(file)
}

// Space returns the space of the scratch directory: that of a store has no end.
func (s *store) Space(string) (free, total uint64, ok bool) { return disk.Space(s.root) }

// Vouches reports whether the store has computed the given SHA-256 when it received the object.
func (s *store) Vouches(file, sum string) bool {
	name, remote := s.name(file)
	if !remote {
		return false
	}
	var info minio.ObjectInfo
	err := s.attempt(0, func(ctx context.Context) (err error) {
		info, err = s.client.StatObject(ctx, s.bucket, s.key(name), minio.StatObjectOptions{Checksum: true})
		return err
	})
	return err == nil && info.ChecksumSHA256 == checksum(sum)
}

var (
	_ disk.FS      = (*store)(nil)
	_ disk.Voucher = (*store)(nil)
	_ disk.Swapper = (*store)(nil)
)
