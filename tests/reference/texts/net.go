package main

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

func anyURL(text, _ string) ([]string, error) {
	found, err := url.Parse(text)
	return parts(found, err)
}

func requestURL(text, _ string) ([]string, error) {
	found, err := url.ParseRequestURI(text)
	return parts(found, err)
}

// parts returns all parts of a URL, and the whole URL as Go prints it.
func parts(found *url.URL, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	user := "none"
	if found.User != nil {
		user = "user " + found.User.String()
	}
	return []string{
		found.Scheme, user, found.Host, found.EscapedPath(), found.RawQuery, found.Fragment,
		found.Hostname(), found.Port(), queries(found), found.String(),
	}, nil
}

// queries returns the parameters of a query with their values. It skips names that are not UTF-8,
// because two such names may be equal in JSON.
func queries(found *url.URL) string {
	pairs := []string{}
	for name, values := range found.Query() {
		pairs = append(pairs, fmt.Sprintf("%s=%s", name, strings.Join(values, ",")))
	}
	slices.Sort(pairs)
	text := string([]rune(strings.Join(pairs, "&")))
	if strings.ContainsRune(text, '\uFFFD') {
		return "not UTF-8"
	}
	return text
}

// urlInRule parses a string by two functions of Go, as the CEL function url does.
func urlInRule(text, _ string) ([]string, error) {
	if _, err := url.ParseRequestURI(text); err != nil {
		return nil, err
	}
	return anyURL(text, "")
}

func ip(text, _ string) ([]string, error) {
	found, err := netip.ParseAddr(text)
	if err != nil {
		return nil, err
	}
	zone := found.Zone()
	// The zone is removed, because :: with a zone is not the unspecified address.
	found = found.WithZone("")
	read := []string{found.String(), fmt.Sprint(zone != ""), fmt.Sprint(found.Is4In6())}
	if found.Is4In6() {
		return read, nil
	}
	return append(read,
		fmt.Sprint(found.IsLinkLocalMulticast()), fmt.Sprint(found.IsLinkLocalUnicast()), fmt.Sprint(found.IsGlobalUnicast())), nil
}

func cidr(text, other string) ([]string, error) {
	found, err := netip.ParsePrefix(text)
	if err != nil {
		return nil, err
	}
	if found.Addr().Is4In6() {
		return []string{"mapped"}, nil
	}
	read := []string{found.String(), found.Masked().String()}
	if address, err := netip.ParseAddr(other); err == nil && address.Zone() == "" && !address.Is4In6() {
		read = append(read, fmt.Sprint(found.Contains(address)))
	}
	return read, nil
}
