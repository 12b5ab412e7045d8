package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string // with forward slashes
	data    []byte
	program bool // may be executed
}

func (f file) mode() fs.FileMode {
	if f.program {
		return 0o755
	}
	return 0o644
}

// pack returns an archive of files in a folder, and its name: a zip file for Windows, a tar file
// for other systems. All files have the same time.
func pack(folder string, files []file, at time.Time, system string) (name string, data []byte, err error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
	for i := range files {
		files[i].name = folder + "/" + files[i].name
	}
	if system == "windows" {
		data, err = packZip(files, at)
		return folder + ".zip", data, err
	}
	data, err = packTar(files, at)
	return folder + ".tar.gz", data, err
}

func packZip(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(f.mode())
		entry, err := w.CreateHeader(header)
		if err == nil {
			_, err = entry.Write(f.data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func packTar(files []file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Format: tar.FormatUSTAR, Name: f.name, Size: int64(len(f.data)), Mode: int64(f.mode()), ModTime: at}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err = errors.Join(w.Close(), compressed.Close())
	return b.Bytes(), err
}
