package s3store

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"selfplay/cmd/internal/s3store/s3test"
)

// TestCredentialsAreLookedForOnce: anonymous requests do not ask the metadata service of the machine
// each time.
func TestCredentialsAreLookedForOnce(t *testing.T) {
	if s3test.IsReal() {
		t.Skip("it knows no anonymous requests")
	}
	d, server := open(t)
	server.Put(t, "d/plan.json", "plan")
	var asked atomic.Int32
	metadata := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(metadata.Close)
	for name, value := range map[string]string{
		"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_EC2_METADATA_DISABLED": "", "AWS_SHARED_CREDENTIALS_FILE": t.TempDir() + "/none",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": metadata.URL, "AWS_PROFILE": "anonymous",
	} {
		t.Setenv(name, value)
	}
	d = openAt(t, server)
	for range 5 {
		holds(t, d, "plan.json", "plan")
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the metadata service was asked %d times, want 1", n)
	}
}
