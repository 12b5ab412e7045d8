package address

import "testing"

func TestAddressesHaveAHostAndANumber(t *testing.T) {
	for text, want := range map[string][2]string{
		"127.0.0.1:9100": {"127.0.0.1", "9100"}, ":0": {"", "0"}, "[::1]:65535": {"::1", "65535"}, "node7:80": {"node7", "80"},
	} {
		if host, port, err := Split(text); err != nil || host != want[0] || port != want[1] {
			t.Errorf("%s: %q, %q, %v", text, host, port, err)
		}
	}
	for _, text := range []string{"", "9100", "node7", "node7:", "node7:http", "1.2.3.4:65536", "1.2.3.4:-1", "::1:9100", "dir/x:9100", "http://h:9100"} {
		if host, port, err := Split(text); err == nil {
			t.Errorf("%s: %q, %q", text, host, port)
		}
	}
}
