package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// formatCheck returns a function that validates a string by the server's table of formats.
func formatCheck(format string) func(string) bool {
	return func(text string) bool { return strfmt.Default.Validates(format, text) }
}

// pattern compares the errors about a pattern, or the strings that a valid pattern matches.
func (group *tally) pattern(q *question, out io.Writer) error {
	compiled, err := regexp.Compile(*q.Pattern)
	wrong := ""
	if err != nil {
		// This is the message of the server, which is not exported.
		wrong = fmt.Sprintf("must be a valid regular expression, but isn't: %v", err)
	}
	if wrong != q.Error || wrong != "" {
		group.count(out, q, fmt.Sprintf("reference: %s, native: %s", wrong, q.Error), wrong == "", wrong == "" != (wrong != q.Error))
		return nil
	}
	known := question{Group: q.Group, Pattern: q.Pattern}
	for i, text := range q.Texts {
		if !isNew(text) {
			known.Texts = append(known.Texts, text)
			known.Verdicts += q.Verdicts[i : i+1]
		}
	}
	return group.texts(&known, out, compiled.MatchString)
}

// isNew returns true if a string has characters that Go's version of Unicode (15) does not define.
func isNew(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cn, r) })
}
