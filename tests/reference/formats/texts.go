package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// formatCheck returns the check of a format from the server's table of formats.
func formatCheck(format string) func(string) bool {
	return func(text string) bool { return strfmt.Default.Validates(format, text) }
}

// pattern compares the errors about a pattern, or the strings that a valid pattern matches.
func (group *tally) pattern(q *question, out io.Writer) error {
	compiled, err := regexp.Compile(*q.Pattern)
	wrong := ""
	if err != nil {
		// The message is the server's.
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

// isNew returns true if a string has characters that Go's tables, of Unicode 15, do not know.
func isNew(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cn, r) })
}
