package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"

	"selfplay/cmd/internal/board"
	"selfplay/cmd/internal/report"
	"selfplay/cmd/internal/serve/web"
	"selfplay/encode"
)

//go:embed static
var staticFiles embed.FS

// boardStyle returns the path of the style sheet of a game's board.
func boardStyle(game string) string { return "/static/board-" + game + ".css" }

// made returns the files that other packages have: the style and the scripts of reports, and the
// style of boards.
func made(games encode.Catalog) map[string]string {
	files := report.Files()
	for _, g := range games {
		files["board-"+g.Name+".css"] = board.Style(&g.Board)
	}
	return files
}

// contentTypes are those of static files, by suffix.
var contentTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// static returns the handler of files.
func (p *Pages) static() func(http.ResponseWriter, *http.Request) error {
	files := made(p.Known.Games)
	return func(w http.ResponseWriter, r *http.Request) error { return writeFile(w, r, files) }
}

// writeFile answers with a file. A browser asks again each time whether it has changed.
func writeFile(w http.ResponseWriter, r *http.Request, made map[string]string) error {
	name := r.PathValue("file")
	text, known := made[name]
	if !known {
		data, err := staticFiles.ReadFile("static/" + name)
		if err != nil || strings.Contains(name, "/") {
			return web.NotFound("no file %.100q", name)
		}
		text = string(data)
	}
	sum := sha256.Sum256([]byte(text))
	w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader([]byte(text)))
	return nil
}
