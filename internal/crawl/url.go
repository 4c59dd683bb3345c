package crawl

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxURL is the length in bytes of the longest address that is fetched.
const maxURL = 2048

// parse reads an address to fetch: absolute, http or https, without user, with
// a host that is a name in ASCII, IPv4 of four decimal numbers, or IPv6. Other
// ways to write an IPv4 address are refused, since resolvers differ on them.
func (g *guard) parse(raw string) (*url.URL, *Failure) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || len(raw) > maxURL || u.Opaque != "" {
		return nil, &Failure{Reason: BadURL, cause: err}
	}
	return g.clean(u)
}

// clean brings an address into the form of parse.
func (g *guard) clean(u *url.URL) (*url.URL, *Failure) {
	c := *u
	c.Scheme = strings.ToLower(c.Scheme)
	host, ok := hostOf(&c)
	if c.Scheme != "http" && c.Scheme != "https" || c.User != nil || !ok {
		return nil, &Failure{Reason: BadURL}
	}
	port, standard := c.Port(), map[string]string{"http": "80", "https": "443"}[c.Scheme]
	if port == "" {
		port = standard
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || !g.mayReach(uint16(number)) {
		return nil, &Failure{Reason: Refused, Host: host}
	}
	c.Host = host
	if ip, err := netip.ParseAddr(host); err == nil {
		if !g.permits(netip.AddrPortFrom(ip, uint16(number))) {
			return nil, &Failure{Reason: Refused, Host: host}
		}
		if ip.Is6() {
			c.Host = "[" + host + "]"
		}
	}
	if port != standard {
		c.Host = net.JoinHostPort(host, port)
	}
	if c.Path == "" {
		c.Path = "/"
	}
	c.Fragment, c.RawFragment = "", ""
	return &c, nil
}

// hostOf is the host of an address in its plain form.
func hostOf(u *url.URL) (host string, ok bool) {
	host = u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		ip, err := netip.ParseAddr(host)
		return ip.String(), err == nil && ip.Is6() && ip.Zone() == ""
	}
	host = strings.ToLower(host)
	for i := 0; i < len(host); i++ {
		if host[i] >= 0x80 {
			var err error
			if host, err = idna.Lookup.ToASCII(host); err != nil {
				return "", false
			}
			break
		}
	}
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 253 || strings.ContainsAny(host, ":%/\\@?#<>^|`{}\" \t") {
		return "", false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 {
			return "", false
		}
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || strings.Trim(last, "0123456789") == "" || last == "0x" {
		ip, err := netip.ParseAddr(host)
		return host, err == nil && ip.Is4()
	}
	return host, true
}
