package s3store

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"sync"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// amazon is the endpoint if none is given. The client goes from it to that of the region.
const amazon = "https://s3.amazonaws.com"

// clients has the clients in use, so that a process opens connections to a store once.
var clients struct {
	sync.Mutex
	of map[clientKey]*minio.Core
}

// clientKey is what a client depends on.
type clientKey struct{ endpoint, region, id, secret, token, profile string }

// connect returns the URL of the endpoint and a client for it. It sends no request.
func connect(endpoint string) (string, *minio.Core, error) {
	endpoint = cmp.Or(endpoint, os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), amazon)
	u, err := url.Parse(endpoint)
	if err != nil || !isEndpoint(u) {
		return "", nil, fmt.Errorf("endpoint %q: want a URL such as https://s3.example.com or http://127.0.0.1:9000", endpoint)
	}
	key := clientKey{
		u.Scheme + "://" + u.Host, region(endpoint), os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"),
		os.Getenv("AWS_SESSION_TOKEN"), os.Getenv("AWS_PROFILE"),
	}
	clients.Lock()
	defer clients.Unlock()
	if c := clients.of[key]; c != nil {
		return key.endpoint, c, nil
	}
	c, err := newClient(u, key.region)
	if err != nil {
		return "", nil, fmt.Errorf("endpoint %q: %w", endpoint, err)
	}
	if clients.of == nil {
		clients.of = map[clientKey]*minio.Core{}
	}
	clients.of[key] = c
	return key.endpoint, c, nil
}

// isEndpoint reports whether a URL has a scheme and a host, and nothing else.
func isEndpoint(u *url.URL) bool {
	known := u.Scheme == "https" || u.Scheme == "http"
	return known && u.Host != "" && (u.Path == "" || u.Path == "/") && u.RawQuery == "" && u.User == nil
}

// region returns the region of the environment. Amazon is asked where a bucket is; other stores
// rarely have regions, and us-east-1 is what they expect then.
func region(endpoint string) string {
	region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if region == "" && endpoint != amazon {
		return "us-east-1"
	}
	return region
}

func newClient(endpoint *url.URL, region string) (*minio.Core, error) {
	return minio.NewCore(endpoint.Host, &minio.Options{
		Creds:      credentials.New(&chain{Chain: credentials.Chain{Providers: providers()}}),
		Secure:     endpoint.Scheme == "https",
		Transport:  transport(),
		Region:     region,
		MaxRetries: 1, // see retry.go
	})
}
