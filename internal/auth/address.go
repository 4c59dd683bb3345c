package auth

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
)

// ParseProxies reads a list of CIDRs and addresses, separated by commas or spaces.
func ParseProxies(list string) ([]netip.Prefix, error) {
	var proxies []netip.Prefix
	for _, item := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(item)
		if addr, bare := netip.ParseAddr(item); bare == nil {
			addr = addr.Unmap()
			p, err = netip.PrefixFrom(addr, addr.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("trusted proxies: %q is neither an address nor a CIDR such as 10.0.0.0/8", item)
		}
		proxies = append(proxies, p.Masked())
	}
	return proxies, nil
}

// Address is the address of the client: of the peer or, behind trusted proxies,
// the last hop in X-Forwarded-For that is not one of them. What stands left of
// that hop was written by the client and is not believed.
func (a *Authenticator) Address(r *http.Request) string {
	hop, ok := parseHop(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr // a Unix socket
	}
	hops := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	for hops != "" && a.trusted(hop) {
		i := strings.LastIndexByte(hops, ',')
		next, ok := parseHop(strings.TrimSpace(hops[i+1:]))
		if !ok {
			break
		}
		hop, hops = next, hops[:max(i, 0)]
	}
	return hop.String()
}

func (a *Authenticator) trusted(hop netip.Addr) bool {
	for _, p := range a.Proxies {
		if p.Contains(hop) {
			return true
		}
	}
	return false
}

// parseHop reads an address with or without port.
func parseHop(s string) (netip.Addr, bool) {
	if hop, err := netip.ParseAddrPort(s); err == nil {
		return hop.Addr().Unmap().WithZone(""), true
	}
	hop, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return hop.Unmap().WithZone(""), err == nil
}

// guesser is the address as far as guesses are counted together: a single
// client usually holds a whole IPv6 network of 64 bits.
func guesser(address string) string {
	if hop, err := netip.ParseAddr(address); err == nil && hop.Is6() {
		if p, err := hop.Prefix(64); err == nil {
			return p.String()
		}
	}
	return address
}
