// The reference for k8s-go-text: the parsers and printers of Go's standard library, apimachinery,
// kube-openapi and blang/semver. Both are called readers here.
//
// It reads JSON lines from stdin, and writes a result for each line:
//
//	{"reader": "duration", "text": "1h30m"}  ->  {"read": ["5400000000000", "1h30m0s"]}
//	{"reader": "duration", "text": "1 hour"}  ->  {"error": "time: unknown unit ..."}
package main

import (
	"bufio"
	"fmt"
	"os"

	"union-reference/lines"
)

// A question has the name of a reader and its input. Some readers compare the input with another
// string.
type question struct {
	Reader string `json:"reader"`
	Text   string `json:"text"`
	Other  string `json:"other"`
}

// An answer has the parts of the parsed value, or the error.
type answer struct {
	Read  []string `json:"read,omitempty"`
	Error string   `json:"error,omitempty"`
	// New is true if the string has characters that Go's version of Unicode does not define.
	New bool `json:"new,omitempty"`
}

type reader func(text, other string) ([]string, error)

var readers = map[string]reader{
	"base64":            base64Standard,
	"base64 url":        base64URL,
	"cidr":              cidr,
	"civil":             civil,
	"date":              date,
	"date-time":         dateTime,
	"dns label":         dnsLabel,
	"dns subdomain":     dnsSubdomain,
	"duration":          duration,
	"duration format":   durationFormat,
	"duration printed":  durationPrinted,
	"float":             float,
	"float printed":     floatPrinted,
	"ip":                ip,
	"local time":        localTime,
	"numbers":           storedNumbers,
	"quantity":          quantity,
	"quantities":        quantities,
	"quoted":            quoted,
	"semver":            version,
	"semver normalized": versionNormalized,
	"semvers":           versions,
	"url":               anyURL,
	"url in rule":       urlInRule,
	"url request":       requestURL,
	"zoned time":        zonedTime,
}

func main() {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	err := lines.Answer(os.Stdin, out, judge)
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func judge(q *question) (*answer, error) {
	read, ok := readers[q.Reader]
	if !ok {
		return nil, fmt.Errorf("there is no reader %q", q.Reader)
	}
	if q.Reader == "quoted" && isNew(q.Text) {
		return &answer{New: true}, nil
	}
	found, err := read(q.Text, q.Other)
	if err != nil {
		return &answer{Error: err.Error()}, nil
	}
	return &answer{Read: found}, nil
}
