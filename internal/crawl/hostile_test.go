package crawl

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// canary is a server on all loopback addresses that nobody may reach.
func canary(t *testing.T) (port string, hits *atomic.Int32) {
	t.Helper()
	hits = new(atomic.Int32)
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		fmt.Fprint(w, "<p>secret")
	})}}
	s.Start()
	t.Cleanup(s.Close)
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, hits
}

// zone answers questions for addresses: a name has a list of answers, of which
// each look-up takes the next and the last one stays. Names in no list do not exist.
type zone map[string][]string

// resolver is a resolver that asks the zone.
func (z zone) resolver() *net.Resolver {
	asked := make(map[string]int)
	lock := make(chan struct{}, 1)
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer ours.Close()
			head := make([]byte, 2) // over a pipe, messages have a length as over TCP
			for {
				if _, err := readFull(ours, head); err != nil {
					return
				}
				msg := make([]byte, int(head[0])<<8|int(head[1]))
				if _, err := readFull(ours, msg); err != nil {
					return
				}
				lock <- struct{}{}
				answer := z.answer(msg, asked)
				<-lock
				if _, err := ours.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...)); err != nil {
					return
				}
			}
		}()
		return theirs, nil
	}}
}

func readFull(c net.Conn, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = c.Read(b[n:])
		n += k
	}
	return n, err
}

func (z zone) answer(msg []byte, asked map[string]int) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(msg); err != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Header.Response, m.Header.RecursionAvailable, m.Additionals = true, true, nil
	name := strings.TrimSuffix(strings.ToLower(q.Name.String()), ".")
	answers := z[name]
	if len(answers) == 0 {
		m.Header.RCode = dnsmessage.RCodeNameError
	} else {
		key := name + q.Type.String()
		i := min(asked[key], len(answers)-1)
		asked[key]++
		for _, s := range strings.Fields(answers[i]) {
			head := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
			ip := netip.MustParseAddr(s)
			if ip.Is4() && q.Type == dnsmessage.TypeA {
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: ip.As4()}})
			}
			if ip.Is6() && q.Type == dnsmessage.TypeAAAA {
				m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
			}
		}
	}
	b, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return b
}

// TestCanary asks for a server on loopback in every way that an address can be
// written, with ports open everywhere, so that only the address can stop it.
func TestCanary(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	names := zone{
		"localhost": {"127.0.0.1 ::1"}, "localtest.example": {"127.0.0.1"}, "six.example": {"::1"}, "zero.example": {"0.0.0.0"},
		"any.example": {"::"}, "mapped.example": {"::ffff:127.0.0.1"}, "nat64.example": {"64:ff9b::7f00:1"},
		"sixtofour.example": {"2002:7f00:1::1"}, "teredo.example": {"2001:0:7f00:1::1"}, "compatible.example": {"::127.0.0.1"},
		"private.example": {"10.0.0.1 192.168.0.1 172.16.0.1"}, "carrier.example": {"100.64.0.1"}, "link.example": {"169.254.169.254"},
		"metadata.google.internal": {"169.254.169.254"}, "metadata": {"169.254.169.254"}, "instance-data.ec2.internal": {"169.254.169.254"},
		"azure.example": {"168.63.129.16"}, "unique.example": {"fd00:ec2::254"}, "site.example": {"fec0::1"}, "linklocal.example": {"fe80::1"},
		"multicast.example": {"224.0.0.1 ff02::1"}, "broadcast.example": {"255.255.255.255"}, "both.example": {"127.0.0.1 ::1 10.0.0.1"},
		"wildcard.127.0.0.1.nip.example": {"127.0.0.1"}, "2130706433": {"127.0.0.1"}, "0x7f000001": {"127.0.0.1"}, "127.1": {"127.0.0.1"}, "0": {"0.0.0.0"},
		"xn--bcher-kva.example": {"127.0.0.1"},
	}
	f := New(nil)
	f.Delay, f.Resolver = 0, names.resolver()
	n, _ := netip.ParseAddrPort("127.0.0.1:" + port)
	f.guard.ports = append(f.guard.ports, n.Port())
	defer f.Close()

	const hosts = `
		127.0.0.1 127.1 127.0.1 127.0.0.2 127.255.255.254 127.0.0.1. 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 017700000001 0177.0.0.1 0177.1
		0177.0x0.0.1 127.0.0.0x1 127.0.0.01 00127.0.0.1 1.0.0.127.in-addr.arpa. 0 0.0.0.0 0x0 00 0.0 4294967296 6425673729 ①②⑦.0.0.1 １２７.0.0.1
		127。0。0。1 127．0．0．1 ⑫7.0.0.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 ١٢٧.٠.٠.١ 127.0.0.1%00 127.0.0.1%0d%0a 127.0.0.1%20
		[::1] [::] [0:0:0:0:0:0:0:1] [0000::0001] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] [::7f00:1]
		[64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [::1%25lo] [::1%lo] [fe80::1%25lo] [fe80::1%25eth0] [::ffff:0:127.0.0.1] [fec0::1]
		10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 [fd00:ec2::254] 255.255.255.255 224.0.0.1
		localhost LOCALHOST localhost. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ localtest.example six.example zero.example any.example mapped.example nat64.example sixtofour.example teredo.example
		compatible.example private.example carrier.example link.example metadata.google.internal metadata instance-data.ec2.internal azure.example
		unique.example site.example linklocal.example multicast.example broadcast.example both.example wildcard.127.0.0.1.nip.example bücher.example`
	var forms []string
	for _, host := range strings.Fields(hosts) {
		forms = append(forms, "http://"+host+":"+port+"/", "https://"+host+":"+port+"/")
	}
	forms = append(forms,
		"http://a.example@127.0.0.1:"+port+"/", "http://127.0.0.1:"+port+"@a.example/", "http://a.example:80@127.0.0.1:"+port+"/",
		"http://a.example#@127.0.0.1:"+port+"/", "http://a.example?@127.0.0.1:"+port+"/", `http://a.example\@127.0.0.1:`+port+"/",
		`http://127.0.0.1:`+port+`\@a.example/`, "http://a.example%40127.0.0.1:"+port+"/", "http:127.0.0.1:"+port+"/", "http:/127.0.0.1:"+port+"/",
		"http:///127.0.0.1:"+port+"/", "//127.0.0.1:"+port+"/", "127.0.0.1:"+port, `http:\\127.0.0.1:`+port+`\`, "http://127.0.0.1:"+port+"#a.example/",
		"HTTP://127.0.0.1:"+port+"/", "http://127.0.0.1\t:"+port+"/", "http://127.0.0.1:0"+port+"/", "\nhttp://127.0.0.1:"+port+"/",
		"file:///etc/passwd", "file://127.0.0.1:"+port+"/", "ftp://127.0.0.1:"+port+"/", "gopher://127.0.0.1:"+port+"/_GET", "dict://127.0.0.1:"+port+"/", "ws://127.0.0.1:"+port+"/",
		"unix:///var/run/docker.sock", "http+unix://127.0.0.1:"+port+"/", "jar:http://127.0.0.1:"+port+"!/", "view-source:http://127.0.0.1:"+port+"/", "data:text/html,x", "javascript:fetch('/')")
	for _, form := range forms {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		got, err := f.Fetch(ctx, Request{URL: form})
		cancel()
		var failure *Failure
		if got != nil || !errors.As(err, &failure) {
			t.Errorf("%s: %v, %v", form, got, err)
			continue
		}
		if r := failure.Reason; r != BadURL && r != Refused && r != NoHost {
			t.Errorf("%s: %s: %v", form, r, failure.Unwrap())
		}
	}
	for _, host := range strings.Fields(hosts) { // and without the check of how an address is written
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		if c, err := f.dial(ctx, "tcp", net.JoinHostPort(strings.Trim(host, "[]"), port)); err == nil {
			c.Close()
			t.Errorf("%s is connected to", host)
		}
		cancel()
	}
	if len(forms) < 40 || hits.Load() != 0 {
		t.Errorf("%d forms reached the canary %d times", len(forms), hits.Load())
	}
	t.Logf("%d forms", len(forms))

	// The same server answers a fetcher that may reach it: the canary lives.
	allow, err := ParseAllow("127.0.0.0/8:" + port + "-" + port)
	if err != nil {
		t.Fatal(err)
	}
	f = New(allow)
	f.Delay, f.Resolver = 0, names.resolver()
	defer f.Close()
	for _, host := range []string{"127.0.0.1", "localtest.example", "１２７.0.0.1"} {
		if got, err := f.Fetch(t.Context(), Request{URL: "http://" + host + ":" + port + "/"}); err != nil || string(got.Body) != "<p>secret" {
			t.Errorf("%s: %v", host, err)
		}
	}
}

// TestRedirectToCanary holds that a redirect is judged like an address that is asked for.
func TestRedirectToCanary(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	var to atomic.Value
	front := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Location", to.Load().(string))
		w.WriteHeader(http.StatusFound)
	})
	// Only the front's own port is open, so the canary on the same address is not.
	for _, target := range []string{"http://127.0.0.1:" + port + "/", "//127.0.0.1:" + port + "/", "http://localhost:" + port, "http://[::1]:" + port + "/",
		"http://0x7f000001:" + port, "http://a@127.0.0.1:" + port, "https://127.0.0.1:" + port, "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/",
		"file:///etc/passwd", "gopher://127.0.0.1:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://2130706433:" + port, "", "http://"} {
		to.Store(target)
		_, err := front.fetcher.Fetch(t.Context(), Request{URL: front.url + "/"})
		var failure *Failure
		if !errors.As(err, &failure) || failure.Reason != Refused && failure.Reason != BadURL && failure.Reason != Status {
			t.Errorf("%s: %v", target, err)
		} else if strings.Contains(err.Error(), "169.254") || strings.Contains(err.Error(), "10.0.0.1") {
			t.Errorf("%s: %q names an address", target, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d hits", hits.Load())
	}
}

// TestChangingAnswers holds that the address of the connection counts, not the
// one of an earlier look-up: robots.txt is read from an allowed address, then
// the name moves to the canary's.
func TestChangingAnswers(t *testing.T) {
	t.Parallel()
	var robots, pages atomic.Int32
	l, err := net.Listen("tcp", ":0") // 127.0.0.2 too, where the system has it
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		if r.URL.Path == "/robots.txt" {
			robots.Add(1)
			return
		}
		pages.Add(1)
	})}}
	s.Start()
	defer s.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	allow, err := ParseAllow("127.0.0.1/32:" + port + "-" + port)
	if err != nil {
		t.Fatal(err)
	}
	f := New(allow)
	f.Delay = 0
	f.guard.ports = append(f.guard.ports, allow[0].Min) // open the port: only the address decides
	f.Resolver = zone{"moving.example": {"127.0.0.1", "127.0.0.2"}}.resolver()
	defer f.Close()
	var failure *Failure
	if _, err := f.Fetch(t.Context(), Request{URL: "http://moving.example:" + port + "/"}); !errors.As(err, &failure) || failure.Reason != Refused {
		t.Errorf("%v", err)
	}
	if robots.Load() != 1 || pages.Load() != 0 {
		t.Errorf("robots.txt asked %d times, the page %d times", robots.Load(), pages.Load())
	}
}
