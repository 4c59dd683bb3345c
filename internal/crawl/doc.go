// Package crawl fetches pages and sitemaps of the public web for the service.
// It keeps to robots.txt, asks a host for one thing at a time, and takes both
// addresses and answers for hostile: no request reaches the network that the
// service runs in, however an address is written, redirected or resolved, and
// no answer takes more time or memory than its bounds. It knows nothing of
// accounts, storage or what is done with a page; callers keep the pages.
package crawl
