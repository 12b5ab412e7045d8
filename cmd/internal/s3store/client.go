package s3store

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

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
		return "", nil, fmt.Errorf("endpoint %q: want a URL as https://s3.example.com or http://127.0.0.1:9000", endpoint)
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
		Creds:      credentials.NewChainCredentials(providers()),
		Secure:     endpoint.Scheme == "https",
		Transport:  transport(),
		Region:     region,
		MaxRetries: 1, // see retry.go
	})
}

// providers returns where credentials are looked for, in this order. Without any, requests are
// anonymous, which public buckets allow.
func providers() []credentials.Provider {
	list := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" {
		list = append(list, &credentials.IAM{Client: &http.Client{Timeout: metadataTimeout}})
	}
	return list
}

// metadataTimeout is the time that the metadata service of a cloud machine has for its answer.
// Other machines have none.
const metadataTimeout = 2 * time.Second

func transport() http.RoundTripper {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: aheadWindow,
		IdleConnTimeout:     time.Minute,
		DisableCompression:  true, // of objects: their bytes are the dataset
	}
}
