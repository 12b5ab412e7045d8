package api

import (
	_ "embed"
	"net/http"
	"strconv"
)

// openAPI describes all routes of the server, OpenAPI 3.1.
//
//go:embed openapi.json
var openAPI []byte

func getOpenAPI(w http.ResponseWriter, r *http.Request) error {
	if err := noParams(r); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(openAPI)))
	_, _ = w.Write(openAPI) // the client may be gone
	return nil
}
