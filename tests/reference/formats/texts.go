package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"

	"k8s.io/kube-openapi/pkg/validation/strfmt"
)

// formatCheck answers by the table of formats that the server asks.
func formatCheck(format string) func(string) bool {
	return func(text string) bool { return strfmt.Default.Validates(format, text) }
}

// pattern compares what is wrong with a pattern, or else what it matches.
func (group *tally) pattern(q *question, out io.Writer) error {
	compiled, err := regexp.Compile(*q.Pattern)
	wrong := ""
	if err != nil {
		// As the server words it.
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

// isNew says whether a text has characters that Go's tables, of Unicode 15, do not know.
func isNew(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cn, r) })
}
