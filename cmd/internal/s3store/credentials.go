package s3store

import (
	"errors"
	"net/http"
	"os"
	"time"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

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

// chain looks for credentials once. A credentials.Chain that finds none looks again for each
// request, and asks the metadata service each time.
type chain struct {
	credentials.Chain
	found     bool // before; those of a role expire
	anonymous bool
}

// errNotRefreshed: a request without credentials would be refused for good.
var errNotRefreshed = errors.New("the credentials have expired, and there are no new ones yet")

// The methods of credentials.Provider. credentials.Credentials calls them one at a time.

func (c *chain) RetrieveWithCredContext(cc *credentials.CredContext) (credentials.Value, error) {
	v, err := c.Chain.RetrieveWithCredContext(cc)
	switch {
	case err != nil:
		return v, err
	case v.AccessKeyID != "":
		c.found = true
	case c.found:
		return v, errNotRefreshed
	default:
		c.anonymous = true
	}
	return v, nil
}

func (c *chain) Retrieve() (credentials.Value, error) { return c.RetrieveWithCredContext(nil) }

func (c *chain) IsExpired() bool { return !c.anonymous && c.Chain.IsExpired() }
