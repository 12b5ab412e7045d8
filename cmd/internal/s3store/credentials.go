package s3store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// providers returns where credentials are looked for, in this order. Without any, requests are
// anonymous, which public buckets allow.
func providers() []credentials.Provider {
	list := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if os.Getenv("AWS_EC2_METADATA_DISABLED") != "true" || isServiceNamed() {
		client := &http.Client{Timeout: metadataTimeout}
		if isServiceNamed() {
			client.Timeout = serviceTimeout
		}
		list = append(list, &credentials.IAM{Client: client, Endpoint: metadataEndpoint})
	}
	return list
}

// isServiceNamed reports whether the environment names a service that gives credentials, as clusters set it.
func isServiceNamed() bool {
	return cmp.Or(os.Getenv("AWS_WEB_IDENTITY_TOKEN_FILE"), os.Getenv("AWS_CONTAINER_CREDENTIALS_FULL_URI"),
		os.Getenv("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")) != ""
}

// How long a service has for its answer. Machines outside of a cloud have no metadata service.
const (
	metadataTimeout = 2 * time.Second
	serviceTimeout  = 10 * time.Second
)

// metadataEndpoint is the address of the metadata service, by default that of Amazon. Tests set it.
var metadataEndpoint string

// chain uses the first provider that has credentials. It differs from credentials.Chain in two points. Without
// any provider it looks once, and not again for each request. And a service that fails to answer is an error that is
// tried again: an anonymous request would be refused for good.
type chain struct {
	providers []credentials.Provider
	current   credentials.Provider // nil before the first credentials
	anonymous bool
}

// errNoCredentials: another attempt may get some.
var errNoCredentials = errors.New("get credentials: the service gives none now")

// The methods of credentials.Provider. credentials.Credentials calls them one at a time.

func (c *chain) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	var why error
	for _, p := range c.providers {
		v, err := p.RetrieveWithCredContext(cc)
		if err == nil && v.AccessKeyID != "" {
			c.current = p
			return v, nil
		}
		why = err
	}
	switch {
	case c.current != nil, isServiceNamed() && !isRefusal(why):
		return credentials.Value{}, fmt.Errorf("%w: %w", errNoCredentials, why)
	case isServiceNamed():
		return credentials.Value{}, fmt.Errorf("get credentials: %w: the service that the environment names answers: %w", fs.ErrPermission, why)
	}
	c.anonymous = true
	return credentials.Value{SignerType: credentials.SignatureAnonymous}, nil
}

// isRefusal reports whether a service refuses to give credentials, so that it is useless to ask again.
func isRefusal(err error) bool {
	sts := credentials.ErrorResponse{}
	if errors.As(err, &sts) {
		return sts.STSError.Code == "AccessDenied" || sts.STSError.Code == "ValidationError"
	}
	status, _, _ := strings.Cut(fmt.Sprint(err), " ") // the only text of these errors: "404 Not Found"
	return errors.Is(err, fs.ErrNotExist) || slices.Contains([]string{"400", "401", "403", "404"}, status)
}

func (c *chain) Retrieve() (credentials.Value, error) { return c.RetrieveWithCredContext(nil) }

func (c *chain) IsExpired() bool {
	return !c.anonymous && (c.current == nil || c.current.IsExpired())
}
