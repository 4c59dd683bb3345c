package crawl

import (
	"net/netip"
	"strings"
	"testing"
)

func TestParseAllow(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"":                                 "",
		"10.0.0.0/8":                       "10.0.0.0/8 0 0",
		"127.0.0.0/8:1024-65535":           "127.0.0.0/8 1024 65535",
		"10.1.0.0/16, fd00::/8:8000-8000 ": "10.1.0.0/16 0 0; fd00::/8 8000 8000",
		"::1/128 192.168.0.0/24:1-2":       "::1/128 0 0; 192.168.0.0/24 1 2",
	}
	for in, want := range good {
		all, err := ParseAllow(in)
		var got []string
		for _, n := range all {
			got = append(got, strings.Join([]string{n.Prefix.String(), itoa(n.Min), itoa(n.Max)}, " "))
		}
		if got := strings.Join(got, "; "); err != nil || got != want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"10.0.0.0", "10.0.0.1/8", "10.0.0.0/33", "localhost/8", "10.0.0.0/8:80", "10.0.0.0/8:0-80",
		"10.0.0.0/8:90-80", "10.0.0.0/8:1-65536", "10.0.0.0/8:a-b", "fe80::%eth0/64", "127.0.0.1:8080", "*", "10.0.0.0/8;11.0.0.0/8"} {
		if _, err := ParseAllow(in); err == nil || !strings.Contains(err.Error(), "10.0.0.0/8 or 127.0.0.0/8:1024-65535") {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func itoa(n uint16) string {
	return strings.TrimPrefix(netip.AddrPortFrom(netip.IPv4Unspecified(), n).String(), "0.0.0.0:")
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0",
		"223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8"} {
		if !public(netip.MustParseAddr(s)) {
			t.Errorf("%s is not public", s)
		}
	}
	for _, s := range strings.Fields(`0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.255 169.254.169.254
		172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7
		203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16
		:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b:1::a00:1 100::1
		2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2001:10::1 2002:7f00:1::1 2002:a00:1::1 3fff::1 5f00::1
		fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2606:4700::1111%eth0`) {
		if public(netip.MustParseAddr(s)) {
			t.Errorf("%s is public", s)
		}
	}
	if public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	allow, err := ParseAllow("10.0.0.0/8 127.0.0.0/8:8000-8999")
	if err != nil {
		t.Fatal(err)
	}
	g := guard{allow: allow, ports: []uint16{80, 443}}
	for to, want := range map[string]bool{
		"8.8.8.8:80": true, "8.8.8.8:443": true, "8.8.8.8:8080": false, "8.8.8.8:8000": false, "8.8.8.8:0": false,
		"10.1.2.3:443": true, "10.1.2.3:8000": false, "11.1.2.3:8000": false,
		"127.0.0.1:80": true, "127.0.0.1:8000": true, "127.0.0.1:8999": true, "127.0.0.1:7999": false, "127.0.0.1:9000": false,
		"[::ffff:127.0.0.1]:8000": true, "[::1]:8000": false, "192.168.0.1:80": false, "[2606:4700::1]:443": true, "[2606:4700::1]:8000": false,
	} {
		if got := g.permits(netip.MustParseAddrPort(to)); got != want {
			t.Errorf("%s: %v", to, got)
		}
	}
}

func TestParseURL(t *testing.T) {
	t.Parallel()
	g := guard{ports: []uint16{80, 443}}
	for in, want := range map[string]string{
		"http://a.example":                  "http://a.example/",
		" HTTPS://A.Example:443/b?c=d#e ":   "https://a.example/b?c=d",
		"http://a.example.:80/":             "http://a.example/",
		"https://a.example:80/":             "https://a.example:80/",
		"http://bücher.example/ü":           "http://xn--bcher-kva.example/%C3%BC",
		"http://8.8.8.8/":                   "http://8.8.8.8/",
		"http://[2606:4700:0::1111]/":       "http://[2606:4700::1111]/",
		"https://my_host.a.example/?q":      "https://my_host.a.example/?q",
		"http://a。example/":                 "http://a.example/",
		"http://1password.example/":         "http://1password.example/",
		"http://a.example/b%2Fc?u=http://d": "http://a.example/b%2Fc?u=http://d",
	} {
		u, failure := g.parse(in)
		if failure != nil {
			t.Errorf("%q: %v", in, failure)
		} else if u.String() != want {
			t.Errorf("%q: %q, want %q", in, u, want)
		}
	}
	for _, in := range []string{"", "a.example", "/a", "//a.example/", "http:a.example", "http://", "http:///a", "http://.", "http://a..example/",
		"http://a b.example/", "http://a.example:x/", "http://a.example:99999/", "http://user@a.example/", "http://:p@a.example/", "mailto:a@b.example",
		"http://" + strings.Repeat("a", 64) + ".example/", "http://a.example/" + strings.Repeat("a", maxURL), "http://[::1", "http://a.example\x00/", "http://\xff/"} {
		if u, failure := g.parse(in); failure == nil {
			t.Errorf("%.40q is taken as %q", in, u)
		}
	}
}
