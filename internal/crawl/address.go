package crawl

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Prefixes that are no public network: RFC 6890 and its successors, multicast,
// and the address at which Azure serves its virtual machines.
var (
	refused4 = prefixes(`0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
		192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
		198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 168.63.129.16/32`)
	global6  = netip.MustParsePrefix("2000::/3") // all else of IPv6, and in it:
	refused6 = prefixes(`2001::/23 2001:db8::/32 2002::/16 3fff::/20 2620:4f:8000::/48`)
)

func prefixes(s string) (all []netip.Prefix) {
	for _, p := range strings.Fields(s) {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// public reports whether an address is one of the public internet. Addresses
// that carry an IPv4 address for a translator (NAT64, 6to4, Teredo) are not.
func public(ip netip.Addr) bool {
	ip = ip.Unmap()
	refused := refused4
	if ip.Is6() {
		if ip.Zone() != "" || !global6.Contains(ip) {
			return false
		}
		refused = refused6
	}
	for _, p := range refused {
		if p.Contains(ip) {
			return false
		}
	}
	return ip.IsValid()
}

// Allow are networks that may be reached although they are not public.
type Allow []Network

// Network is a network and the ports to reach in it besides 80 and 443.
type Network struct {
	Prefix   netip.Prefix
	Min, Max uint16 // both 0: none
}

// ParseAllow reads networks separated by commas or blanks: a prefix like
// 10.0.0.0/8 or fd00::/8, each optionally with ports as in 127.0.0.0/8:1024-65535.
func ParseAllow(s string) (Allow, error) {
	var all Allow
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' }) {
		n, err := parseNetwork(part)
		if err != nil {
			return nil, fmt.Errorf("%q is no network like 10.0.0.0/8 or 127.0.0.0/8:1024-65535: %w", part, err)
		}
		all = append(all, n)
	}
	return all, nil
}

func parseNetwork(s string) (n Network, err error) {
	address, length, _ := strings.Cut(s, "/")
	length, ports, ported := strings.Cut(length, ":") // an IPv6 address has its colons before the slash
	if n.Prefix, err = netip.ParsePrefix(address + "/" + length); err != nil {
		return n, err
	}
	if n.Prefix != n.Prefix.Masked() {
		return n, fmt.Errorf("the network begins at %s", n.Prefix.Masked())
	}
	if !ported {
		return n, nil
	}
	from, to, _ := strings.Cut(ports, "-")
	low, err1 := strconv.ParseUint(from, 10, 16)
	high, err2 := strconv.ParseUint(to, 10, 16)
	if err1 != nil || err2 != nil || low == 0 || low > high {
		return n, fmt.Errorf("ports are like :8000-8999")
	}
	n.Min, n.Max = uint16(low), uint16(high)
	return n, nil
}

// guard decides which addresses may be connected to.
type guard struct {
	allow Allow
	ports []uint16 // that may be reached everywhere
}

// permits reports whether a connection may be made.
func (g *guard) permits(to netip.AddrPort) bool {
	ip, web := to.Addr().Unmap(), g.web(to.Port())
	for _, n := range g.allow {
		if n.Prefix.Contains(ip) && (web || n.has(to.Port())) {
			return true
		}
	}
	return web && public(ip)
}

// mayReach reports whether a port may be reached somewhere.
func (g *guard) mayReach(port uint16) bool {
	for _, n := range g.allow {
		if n.has(port) {
			return true
		}
	}
	return g.web(port)
}

func (g *guard) web(port uint16) bool {
	for _, p := range g.ports {
		if p == port {
			return true
		}
	}
	return false
}

func (n *Network) has(port uint16) bool { return n.Min > 0 && n.Min <= port && port <= n.Max }
