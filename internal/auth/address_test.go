package auth

import (
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	t.Parallel()
	proxies, err := ParseProxies("10.0.0.0/8, 192.0.2.1 ::1,2001:db8:ff::/48")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "203.0.113.9:5", nil, "203.0.113.9"},
		{"header of a stranger", "203.0.113.9:5", []string{"1.1.1.1"}, "203.0.113.9"},
		{"one proxy", "10.0.0.1:5", []string{"203.0.113.9"}, "203.0.113.9"},
		{"client wrote one, too", "10.0.0.1:5", []string{"1.1.1.1, 203.0.113.9"}, "203.0.113.9"},
		{"client claims to be a proxy", "10.0.0.1:5", []string{"1.1.1.1, 10.9.9.9, 203.0.113.9"}, "203.0.113.9"},
		{"two proxies", "10.0.0.1:5", []string{"1.1.1.1, 203.0.113.9,192.0.2.1"}, "203.0.113.9"},
		{"header in parts", "10.0.0.1:5", []string{"1.1.1.1", "203.0.113.9", "10.0.0.2"}, "203.0.113.9"},
		{"proxies alone", "10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"proxy without header", "10.0.0.1:5", nil, "10.0.0.1"},
		{"empty header", "10.0.0.1:5", []string{""}, "10.0.0.1"},
		{"nonsense", "10.0.0.1:5", []string{"203.0.113.9, unknown"}, "10.0.0.1"},
		{"empty hop", "10.0.0.1:5", []string{"203.0.113.9,"}, "10.0.0.1"},
		{"with port", "10.0.0.1:5", []string{"203.0.113.9:8080"}, "203.0.113.9"},
		{"IPv6", "[::1]:5", []string{"[2001:db8::7]:443"}, "2001:db8::7"},
		{"IPv6 in brackets", "[::1]:5", []string{"[2001:db8::7]"}, "2001:db8::7"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:5", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"Unix socket", "@", []string{"203.0.113.9"}, "@"},
		{"many hops", "10.0.0.1:5", []string{"203.0.113.9" + strings.Repeat(",10.0.0.2", 10000)}, "203.0.113.9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := ask("")
			r.RemoteAddr = test.peer
			for _, f := range test.forwarded {
				r.Header.Add("X-Forwarded-For", f)
			}
			if got := (&Authenticator{Proxies: proxies}).Address(r); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestParseProxies(t *testing.T) {
	t.Parallel()
	if p, err := ParseProxies(""); p != nil || err != nil {
		t.Errorf("%v %v", p, err)
	}
	for _, bad := range []string{"10.0.0.0/33", "proxy.example", "10.0.0", "*"} {
		if _, err := ParseProxies("10.0.0.1," + bad); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
