package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"selfplay/cmd/internal/address"
	"selfplay/internal/goroutine"
)

// metric is one number of the Prometheus text format.
type metric struct {
	Name   string // ends in _total if it only grows while the process lives: then it is a counter
	Help   string
	Labels []metricLabel
	Value  float64
}

// metricLabel is a label of a metric. Its value may be any text.
type metricLabel struct{ Name, Value string }

// metricsText returns metrics in the Prometheus text format, each with its labels after the shared
// ones.
func metricsText(shared []metricLabel, metrics []metric) []byte {
	var b bytes.Buffer
	for _, m := range metrics {
		kind := "gauge"
		if strings.HasSuffix(m.Name, "_total") {
			kind = "counter"
		}
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n%s", m.Name, escapeHelp.Replace(m.Help), m.Name, kind, m.Name)
		writeLabels(&b, shared, m.Labels)
		fmt.Fprintf(&b, " %s\n", strconv.FormatFloat(m.Value, 'g', -1, 64))
	}
	return b.Bytes()
}

// Characters with a meaning in a help text and in the value of a label.
var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

func writeLabels(b *bytes.Buffer, lists ...[]metricLabel) {
	separator, end := "{", ""
	for _, labels := range lists {
		for _, l := range labels {
			fmt.Fprintf(b, `%s%s="%s"`, separator, l.Name, escapeLabel.Replace(strings.ToValidUTF8(l.Value, "\uFFFD")))
			separator, end = ",", "}"
		}
	}
	b.WriteString(end)
}

// stateFile is a small file that is replaced whole: a reader sees the old content or the new one,
// never a part. It belongs to one goroutine at a time.
type stateFile struct {
	path string
	temp string // in the same folder, so that it can be renamed
}

// newStateFile returns the file with the given path. It changes nothing there. It refuses a path
// that cannot be written to, and an existing file whose content does not begin with prefix:
// another program wrote it.
func newStateFile(path string, prefix []byte) (*stateFile, error) {
	path = filepath.Clean(path)
	f := &stateFile{path, filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".selfplay.tmp")}
	if err := f.checkExisting(prefix); err != nil {
		return nil, err
	}
	err := f.writeTemp(nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("write %s: no such folder: %s", path, filepath.Dir(path))
	}
	if err == nil {
		err = os.Remove(f.temp)
	}
	return f, err
}

// checkExisting refuses a file of another program.
func (f *stateFile) checkExisting(prefix []byte) error {
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("write %s: it exists and is not a regular file", f.path)
	}
	if err != nil {
		return err
	}
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer file.Close()
	begin, err := io.ReadAll(io.LimitReader(file, int64(len(prefix))))
	if err != nil || len(begin) > 0 && !bytes.Equal(begin, prefix) {
		return fmt.Errorf("write %s: it exists and has other content; move it away", f.path)
	}
	return nil
}

// Replace gives the file new content.
func (f *stateFile) Replace(data []byte) error {
	err := f.writeTemp(data)
	if err == nil {
		err = os.Rename(f.temp, f.path)
	}
	if err != nil {
		_ = os.Remove(f.temp) // the next Replace tries again
	}
	return err
}

// writeTemp writes the temporary file. It never writes through a link.
func (f *stateFile) writeTemp(data []byte) error {
	if err := os.Remove(f.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(f.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// metricsFileSuffix ends the names of files that the textfile collector of the node exporter reads.
const metricsFileSuffix = ".prom"

// metricsTarget is where metrics go: exactly one field is set.
type metricsTarget struct {
	Addr string // HOST:PORT to serve them at
	File string // a file that is replaced whole
}

// parseMetricsTarget reads the value of --metrics: a file that ends in .prom, HOST:PORT, or :PORT
// of the loopback interface.
func parseMetricsTarget(text string) (metricsTarget, error) {
	if strings.HasSuffix(text, metricsFileSuffix) {
		return metricsTarget{File: text}, nil
	}
	host, port, err := address.Split(text)
	if err != nil {
		return metricsTarget{}, fmt.Errorf("%q: expected an address such as 127.0.0.1:9100 or :9100, or a file that ends in %s", text, metricsFileSuffix)
	}
	if host == "" {
		host = address.Loopback
	}
	return metricsTarget{Addr: net.JoinHostPort(host, port)}, nil
}

// metricsPath is where a metricsServer has the metrics.
const metricsPath = "/metrics"

// metricsType is that of the Prometheus text format.
const metricsType = "text/plain; version=0.0.4; charset=utf-8"

// Limits of a server. A scrape takes milliseconds; slower clients do not keep connections.
const (
	requestTime = 10 * time.Second
	closeTime   = time.Second // for scrapes under way when the server is closed
)

// metricsServer answers scrapes with the current metrics.
type metricsServer struct {
	URL     string // where the metrics are
	http    http.Server
	serving goroutine.Group
}

// serveMetrics answers requests at an address, in goroutines of its own until Close. render returns the
// metrics; it must be safe for concurrent use. The error says whether another program has the address.
func serveMetrics(addr string, render func() []byte) (*metricsServer, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+metricsPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", metricsType)
		_, _ = w.Write(render()) // the client may be gone
	})
	s := &metricsServer{URL: "http://" + l.Addr().String() + metricsPath, serving: goroutine.New()}
	s.http.Handler = mux
	s.http.ReadTimeout, s.http.WriteTimeout, s.http.IdleTimeout = requestTime, requestTime, 6*requestTime
	s.serving.Go(func() error { return s.http.Serve(l) }) // ends with Close
	return s, nil
}

// Close frees the address. Scrapes under way have a second to end. A nil server has none.
func (s *metricsServer) Close() error {
	if s == nil {
		return nil
	}
	err := address.Shutdown(&s.http, closeTime)
	_ = s.serving.Wait() // always http.ErrServerClosed
	return err
}
