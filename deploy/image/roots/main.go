// Command roots writes the root certificates of the image as PEM: the authorities that Mozilla trusts for servers, from
// the pinned module golang.org/x/crypto/x509roots/fallback. So the image does not depend on the machine that builds it.
// To renew them: go get golang.org/x/crypto/x509roots/fallback@latest.
//
// They are a file of the image, 175 KB, and not part of the program: machines have their own, a file can be mounted
// over it, and no other run pays for them. In the program they would be 154 KB and 2 to 3 ms of CPU time at each start.
//
// It is a module of its own, because the programs do not need it.
package main

import (
	"bufio"
	"encoding/pem"
	"fmt"
	"io"
	"os"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// header begins the file. Readers skip text between certificates.
const header = `# Root certificates for TLS servers, from the list of Mozilla (https://wiki.mozilla.org/CA), which is
# under the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/).
`

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "roots:", err)
		os.Exit(1)
	}
}

// write writes all roots that are trusted without conditions. PEM has no place for a condition, such as the last date
// of issue of a root that is being retired.
func write(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString(header)
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(b, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return err
		}
	}
	return b.Flush()
}
