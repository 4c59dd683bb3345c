package auth

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/contentgraph/contentgraph/internal/fault"
	"github.com/contentgraph/contentgraph/internal/vocab"
)

// ask makes a request; headers are "Name: value".
func ask(query string, headers ...string) *http.Request {
	r := httptest.NewRequest("GET", "/v4/accounts/1/drafts", nil)
	r.URL.RawQuery = query
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Add(name, value)
	}
	return r
}

type requestCase struct {
	name    string
	query   string
	headers []string
	user    string // who is meant to be let in
	code    fault.Code
	text    string
}

func TestRequest(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.GuessLimit = 0
		ann, bob := h.user(t, "ann", []int{1}, vocab.ScopeData), h.user(t, "bob", []int{1}, vocab.ScopeData)
		token, _ := h.token(t, ann, nil)
		key, secret := h.key(t, bob)
		sig := Sign(key, secret, h.clock.now())
		good := "apiKey=" + key + "&sig=" + sig
		check(t, h.Request, []requestCase{
			{"bearer", "", []string{"Authorization: Bearer " + token}, "ann", "", ""},
			{"bearer in any case", "", []string{"authorization: bEARER   " + token + " "}, "ann", "", ""},
			{"bearer decides", good, []string{"Authorization: Bearer " + token}, "ann", "", ""},
			{"bearer decides though bad", good, []string{"Authorization: Bearer cg_x"}, "", fault.CodeUnauthorized, "Bearer"},
			{"bearer without token", good, []string{"Authorization: Bearer"}, "", fault.CodeMissingCredentials, "Bearer"},
			{"second header", "", []string{"Authorization: Basic x", "Authorization: Bearer " + token}, "ann", "", ""},
			{"pair", good, nil, "bob", "", ""},
			{"upper-case signature", "apiKey=" + key + "&sig=" + strings.ToUpper(sig), nil, "bob", "", ""},
			{"last pair", "apiKey=old&sig=old&" + good, nil, "bob", "", ""},
			{"pair repeated", good + "&" + good + "&" + good, nil, "bob", "", ""},
			{"last pair bad", good + "&apiKey=" + key + "&sig=00", nil, "", fault.CodeInvalidSignature, ""},
			{"among other parameters", "limit=5&a=1;b=2&%zz=1&sig=%zz&" + good + "&%", nil, "bob", "", ""},
			{"pair beside another scheme", good, []string{"Authorization: Basic eDp5"}, "bob", "", ""},
			{"gateway header is not looked at", good, []string{"X-API-GATEWAY-KEY: other"}, "bob", "", ""},
			{"nothing", "", nil, "", fault.CodeMissingCredentials, "Authorization: Bearer"},
			{"empty header", "", []string{"Authorization: "}, "", fault.CodeMissingCredentials, ""},
			{"other names", "apikey=" + key + "&SIG=" + sig, nil, "", fault.CodeMissingCredentials, ""},
			{"no signature", "apiKey=" + key, nil, "", fault.CodeMissingCredentials, "sig is missing"},
			{"empty signature", "apiKey=" + key + "&sig=", nil, "", fault.CodeMissingCredentials, "sig is missing"},
			{"no key", "sig=" + sig, nil, "", fault.CodeMissingCredentials, "apiKey is missing"},
			{"broken signature", "apiKey=" + key + "&sig=%zz", nil, "", fault.CodeMissingCredentials, "sig is missing"},
			{"wrong signature", "apiKey=" + key + "&sig=" + strings.Repeat("0", 32), nil, "", fault.CodeInvalidSignature, ""},
			{"odd signature", "apiKey=" + key + "&sig=%00%ff%20", nil, "", fault.CodeInvalidSignature, ""},
			{"odd key", "apiKey=%00%ff&sig=" + sig, nil, "", fault.CodeInvalidSignature, ""},
			{"long key", "apiKey=" + strings.Repeat("k", 1<<20) + "&sig=" + sig, nil, "", fault.CodeInvalidSignature, ""},
			{"unknown key", "apiKey=ck_" + strings.Repeat("0", 24) + "&sig=" + sig, nil, "", fault.CodeInvalidSignature, ""},
			{"another scheme", "", []string{"Authorization: Basic eDp5"}, "", fault.CodeUnauthorized, "Bearer"},
			{"token alone", "", []string{"Authorization: " + token}, "", fault.CodeUnauthorized, "Bearer"},
			{"secret as token", "", []string{"Authorization: Bearer " + secret}, "", fault.CodeUnauthorized, "Bearer"},
		})
	})
}

func TestDataRequest(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.GuessLimit = 0
		ann, bob := h.user(t, "ann", []int{1}, vocab.ScopeData), h.user(t, "bob", []int{1}, vocab.ScopeData)
		token, _ := h.token(t, ann, nil)
		key, secret := h.key(t, bob)
		sig := Sign(key, secret, h.clock.now())
		good, gateway := "apiKey="+key+"&sig="+sig, "X-API-GATEWAY-KEY: "+key
		unknown := "ck_" + strings.Repeat("0", 24)
		check(t, h.DataRequest, []requestCase{
			{"all three", good, []string{gateway}, "bob", "", ""},
			{"header in any case", good, []string{"x-Api-gateway-KEY: " + key}, "bob", "", ""},
			{"bearer ignored", good, []string{gateway, "Authorization: Bearer " + token}, "bob", "", ""},
			{"bad bearer ignored", good, []string{gateway, "Authorization: Bearer x"}, "bob", "", ""},
			{"last pair", "apiKey=old&sig=old&" + good, []string{gateway}, "bob", "", ""},
			{"bearer alone", "", []string{"Authorization: Bearer " + token}, "", fault.CodeMissingCredentials,
				"query parameter apiKey, query parameter sig, header X-API-GATEWAY-KEY"},
			{"no header", good, nil, "", fault.CodeMissingCredentials, "credentials: header X-API-GATEWAY-KEY"},
			{"no signature", "apiKey=" + key, []string{gateway}, "", fault.CodeMissingCredentials, "credentials: query parameter sig"},
			{"header alone", "", []string{gateway}, "", fault.CodeMissingCredentials, "query parameter apiKey, query parameter sig"},
			{"other header", good, []string{"X-API-GATEWAY-KEY: " + unknown}, "", fault.CodeGatewayKeyMismatch, "must equal"},
			{"header in another case", good, []string{"X-API-GATEWAY-KEY: " + strings.ToUpper(key)}, "", fault.CodeGatewayKeyMismatch, ""},
			{"wrong signature", "apiKey=" + key + "&sig=" + strings.Repeat("0", 32), []string{gateway}, "", fault.CodeInvalidSignature, ""},
			{"unknown key", "apiKey=" + unknown + "&sig=" + sig, []string{"X-API-GATEWAY-KEY: " + unknown}, "", fault.CodeInvalidSignature, ""},
		})
	})
}

func check(t *testing.T, authenticate func(*http.Request) (*Principal, error), cases []requestCase) {
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			p, err := authenticate(ask(test.query, test.headers...))
			switch {
			case test.user == "":
				refused(t, err, test.code, test.text)
				if !fault.Is(err, fault.Unauthenticated) {
					t.Errorf("not a 401: %v", err)
				}
			case err != nil || p.Name != test.user:
				t.Errorf("got %+v %v, want %s", p, err, test.user)
			}
		})
	}
}

func TestGuessLimit(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		ann := h.user(t, "ann", []int{1}, vocab.ScopeData)
		token, _ := h.token(t, ann, nil)
		key, secret := h.key(t, ann)
		from := func(address string, r *http.Request) *http.Request { r.RemoteAddr = address; return r }
		good := func(address string) *http.Request {
			return from(address, ask("apiKey="+key+"&sig="+Sign(key, secret, h.clock.now())))
		}
		bad := func(address string) *http.Request { return from(address, ask("apiKey="+key+"&sig=00")) }
		badToken := func(address string, n int) *http.Request {
			return from(address, ask("", fmt.Sprintf("Authorization: Bearer cg_%d", n)))
		}
		h.clock.add(15500e6) // 44.5 s are left of the minute

		for range 100 { // none of these is a guess
			refused(t, second(h.Request(from("10.0.0.1:1", ask("")))), fault.CodeMissingCredentials, "")
			refused(t, second(h.Request(from("10.0.0.1:1", ask("apiKey="+key)))), fault.CodeMissingCredentials, "")
			must(h.Request(good("10.0.0.1:1")))(t)
		}
		for range 20 {
			refused(t, second(h.Request(bad("10.0.0.1:1"))), fault.CodeInvalidSignature, "")
		}
		_, err := h.Request(bad("10.0.0.1:2"))
		refused(t, err, fault.CodeRateLimited, "in 45 s")
		if e := fault.Of(err); e.Kind != fault.RateLimited || e.RetryAfter != 45 {
			t.Errorf("%+v", e)
		}
		// By address: whatever the key is. By key: whatever the address is.
		refused(t, second(h.Request(badToken("10.0.0.1:1", 1))), fault.CodeRateLimited, "")
		refused(t, second(h.DataRequest(from("10.0.0.2:1", ask("apiKey="+key+"&sig=00", "X-API-GATEWAY-KEY: "+key)))), fault.CodeRateLimited, "")
		refused(t, second(h.Request(badToken("10.0.0.2:1", 1))), fault.CodeUnauthorized, "")
		// Who has a valid one passes, and others' requests without any stay as they are.
		must(h.Request(good("10.0.0.1:1")))(t)
		must(h.Request(from("10.0.0.1:1", ask("", "Authorization: Bearer "+token))))(t)
		refused(t, second(h.Request(from("10.0.0.1:1", ask("")))), fault.CodeMissingCredentials, "")

		h.clock.add(44499e6)
		refused(t, second(h.Request(bad("10.0.0.1:1"))), fault.CodeRateLimited, "in 1 s")
		h.clock.add(1e6)
		refused(t, second(h.Request(bad("10.0.0.1:1"))), fault.CodeInvalidSignature, "")

		h.GuessLimit = 0
		for range 50 {
			refused(t, second(h.Request(bad("10.0.0.1:1"))), fault.CodeInvalidSignature, "")
		}
	})
}

func TestGuessesOfOneNetwork(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		for i := range 21 {
			r := ask("", fmt.Sprintf("Authorization: Bearer cg_%d", i))
			r.RemoteAddr = fmt.Sprintf("[2001:db8:1:2::%x]:443", i+1)
			_, err := h.Request(r)
			refused(t, err, map[bool]fault.Code{true: fault.CodeUnauthorized, false: fault.CodeRateLimited}[i < 20], "")
		}
	})
}

func TestGuessesAreBounded(t *testing.T) {
	t.Parallel()
	var g guesses
	now := newClock().now()
	for i := range 2 * guessNames {
		g.fail(now, 20, fmt.Sprint("address ", i), fmt.Sprint("key ", i))
	}
	if n := len(g.counts); n > guessNames+1 {
		t.Errorf("%d names", n)
	}
	if g.fail(now, 20, "address 99999999") == 0 {
		t.Error("a flood from many addresses is not told to wait")
	}
	if g.fail(now, 20, "address 1") != 0 {
		t.Error("a known address waits for the others")
	}
}
