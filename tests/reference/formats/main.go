// The reference for formats, patterns and metadata: the code of the real API server validates the
// same strings and objects.
//
// It reads JSON lines from stdin, each with our results, and prints differences and a summary. The
// exit code is 1 if there is a difference, or if there are too few cases.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"sort"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A question is one line of input: strings of a format, strings for a pattern, or metadata.
type question struct {
	Group string `json:"group"`

	// Texts are validated by a format or by a pattern. Verdicts contains our verdicts, one digit
	// for each string: 1 if the string is valid, or else 0.
	Texts    []string `json:"texts"`
	Verdicts string   `json:"verdicts"`
	Format   string   `json:"format"`
	Pattern  *string  `json:"pattern"`
	// Error is our error about the pattern itself, or about metadata that cannot be decoded.
	Error string `json:"error"`

	// Ask is the operation on New and Old: see metadata.go. Object is our decoded object, and
	// Errors are our errors.
	Ask    string         `json:"ask"`
	Schema map[string]any `json:"schema"`
	New    any            `json:"new"`
	Old    any            `json:"old"`
	Object any            `json:"object"`
	Errors []string       `json:"errors"`
}

// A tally counts the verdicts of one group.
type tally struct{ agree, rejected, differ int }

type tallies map[string]*tally

func main() {
	// The program always compares. The flag exists because the other programs have it.
	flag.Bool("compare", true, "compare with the verdicts in the input")
	flag.Parse()
	groups := tallies{}
	out := bufio.NewWriter(os.Stdout)
	err := eachLine(os.Stdin, func(q *question) error { return groups.judge(q, out) })
	if err == nil {
		err = groups.summary(out)
	}
	out.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (groups tallies) judge(q *question, out io.Writer) error {
	group := groups[q.Group]
	if group == nil {
		group = &tally{}
		groups[q.Group] = group
	}
	switch {
	case q.Format != "":
		return group.texts(q, out, formatCheck(q.Format))
	case q.Pattern != nil:
		return group.pattern(q, out)
	case q.Ask != "":
		return group.metadata(q, out)
	default:
		return fmt.Errorf("%s: nothing is asked", q.Group)
	}
}

// texts compares the verdicts about strings.
func (group *tally) texts(q *question, out io.Writer, check func(string) bool) error {
	if len(q.Texts) != len(q.Verdicts) {
		return fmt.Errorf("%s: %d texts, %d verdicts", q.Group, len(q.Texts), len(q.Verdicts))
	}
	for i, text := range q.Texts {
		group.count(out, q, text, check(text), q.Verdicts[i] == '1')
	}
	return nil
}

func (group *tally) count(out io.Writer, q *question, about string, reference, native bool) {
	if !reference {
		group.rejected++
	}
	if reference == native {
		group.agree++
		return
	}
	group.differ++
	if group.differ <= 20 {
		pattern := ""
		if q.Pattern != nil {
			pattern = *q.Pattern
		}
		fmt.Fprintf(out, "DIFFERENT %s: %q %q: reference %t, native %t\n", q.Group, pattern, about, reference, native)
	}
}

func (groups tallies) summary(out io.Writer) error {
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	sort.Strings(names)
	var total tally
	for _, name := range names {
		group := groups[name]
		fmt.Fprintf(out, "%-24s %8d agree (%d rejected), %d differ\n", name, group.agree, group.rejected, group.differ)
		total.agree += group.agree
		total.rejected += group.rejected
		total.differ += group.differ
	}
	fmt.Fprintf(out, "%d agree, %d differ\n", total.agree, total.differ)
	switch {
	case total.differ > 0:
		return fmt.Errorf("the API server and union-runtime differ")
	case total.agree == 0 || total.rejected == 0 || total.rejected == total.agree:
		return fmt.Errorf("the lines prove nothing: %d verdicts, %d rejected", total.agree, total.rejected)
	}
	return nil
}

func eachLine(in io.Reader, do func(*question) error) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 1<<20), 1<<26)
	for scanner.Scan() {
		var q question
		if err := utiljson.Unmarshal(scanner.Bytes(), &q); err != nil {
			return fmt.Errorf("not a question: %w", err)
		}
		if err := do(&q); err != nil {
			return err
		}
	}
	return scanner.Err()
}
