package main

import (
	"fmt"
	"io"
	"slices"
)

// leftOut collects the parts of the rows that are not in the output. Each part must have a reason
// in left_out.json, so that nothing is left out by mistake.
type leftOut struct {
	// reasons are the reasons by the text of the part.
	reasons map[string]string
	found   []string
	// notServed are the parts of versions of the API that no server serves, as served.json shows.
	notServed []string
}

// add reports a part that is not in the output.
func (l *leftOut) add(format string, args ...any) {
	if part := fmt.Sprintf(format, args...); !slices.Contains(l.found, part) {
		l.found = append(l.found, part)
	}
}

// addNotServed reports a part of a version of the API that no server serves.
func (l *leftOut) addNotServed(format string, args ...any) {
	if part := fmt.Sprintf(format, args...); !slices.Contains(l.notServed, part) {
		l.notServed = append(l.notServed, part)
	}
}

// check prints the parts with their reasons. It returns an error if a part has no reason, or if a
// reason has no part.
func (l *leftOut) check(out io.Writer) error {
	slices.Sort(l.found)
	slices.Sort(l.notServed)
	for _, part := range l.notServed {
		fmt.Fprintf(out, "left out: %s: no server serves this version of the API\n", part)
	}
	isWrong := false
	for _, part := range l.found {
		reason := l.reasons[part]
		if reason == "" {
			isWrong, reason = true, "NO REASON in left_out.json"
		}
		fmt.Fprintf(out, "left out: %s: %s\n", part, reason)
	}
	for _, part := range sortedKeys(l.reasons) {
		if !slices.Contains(l.found, part) {
			isWrong = true
			fmt.Fprintf(out, "left_out.json has a reason for a part that is not left out: %s\n", part)
		}
	}
	if isWrong {
		return fmt.Errorf("left_out.json must have a reason for each part that is left out, and no other")
	}
	return nil
}
