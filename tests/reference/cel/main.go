// The reference for the CEL rules, enums and required fields that union-runtime puts into a schema:
// the code of the real API server (k8s.io/apiextensions-apiserver) validates the same objects.
//
// It reads JSON lines from stdin, in one of these forms, and writes one result per line:
//
//	{"schema": <openAPIV3Schema>, "object": ..., "old": ...|null}   ->  {"errors": ["..."]}
//	{"crd": <CustomResourceDefinition>}                             ->  {"errors": ["..."]}
//
// With -compare, each line also has "native", our own errors ("" if the object is valid). The
// program then prints only the differences and the number of equal results. The exit code is 1 if a
// result differs.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A question is one line of input.
type question struct {
	// Group and Name describe the line. Native contains our errors.
	Group  string `json:"group"`
	Name   string `json:"name"`
	Native string `json:"native"`

	Schema json.RawMessage `json:"schema"`
	Object any             `json:"object"`
	Old    any             `json:"old"`

	CRD json.RawMessage `json:"crd"`
	// Strict is true if the CRD is sent with strict field validation, as kubectl sends it.
	Strict bool `json:"strict"`

	// VerdictOnly is true if only the verdicts are compared, because the server has other messages,
	// such as the messages about a oneOf.
	VerdictOnly bool `json:"verdictOnly"`
	// Costs is true if Native contains the costs of the rules of the schema, not errors.
	Costs bool `json:"costs"`
}

type answer struct {
	Errors []string `json:"errors"`
}

func main() {
	compare := flag.Bool("compare", false, "compare with the verdicts in the input")
	flag.Parse()
	judge := newJudge()
	var err error
	if *compare {
		err = compareAll(judge, os.Stdin, os.Stdout)
	} else {
		err = answerAll(judge, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answerAll(judge *judge, in io.Reader, out io.Writer) error {
	encoder := json.NewEncoder(out)
	return eachLine(in, func(q *question) error {
		errors, err := judge.answer(context.Background(), q)
		if err != nil {
			return err
		}
		return encoder.Encode(answer{Errors: errors})
	})
}

// A tally counts the lines of one group.
type tally struct{ agree, differ, rejected int }

func compareAll(judge *judge, in io.Reader, out io.Writer) error {
	groups := map[string]*tally{}
	var total tally
	err := eachLine(in, func(q *question) error {
		errors, err := judge.answer(context.Background(), q)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", q.Group, q.Name, err)
		}
		group := groups[q.Group]
		if group == nil {
			group = &tally{}
			groups[q.Group] = group
		}
		if len(errors) > 0 {
			group.rejected++
			total.rejected++
		}
		if agrees(q, errors) {
			group.agree++
			total.agree++
			return nil
		}
		group.differ++
		total.differ++
		object, _ := json.Marshal(q.Object)
		old, _ := json.Marshal(q.Old)
		fmt.Fprintf(out, "DIFFERENT %s: %s %s, was %s\n  native: %q\n  server: %q\n", q.Group, q.Name, object, old, q.Native, errors)
		return nil
	})
	if err != nil {
		return err
	}
	names := make([]string, 0, len(groups))
	for name := range groups {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		group := groups[name]
		fmt.Fprintf(out, "%-40s %5d agree (%d of them rejected), %d differ\n", name, group.agree, group.rejected, group.differ)
	}
	fmt.Fprintf(out, "%d agree, %d differ\n", total.agree, total.differ)
	switch {
	case total.differ > 0:
		return fmt.Errorf("the API server and union-runtime differ")
	case total.agree == 0 || total.rejected == 0 || total.rejected == total.agree:
		return fmt.Errorf("the cases prove nothing: %d lines, %d rejected", total.agree, total.rejected)
	}
	return nil
}

func agrees(q *question, errors []string) bool {
	switch {
	case q.Costs:
		return q.Native == strings.Join(errors, "\n")
	case (len(errors) > 0) != (q.Native != ""):
		return false
	default:
		return q.VerdictOnly || sameTexts(q.Native, errors)
	}
}

// badValue matches the value in a message about a union. The value is empty for a member, and
// contains the set members in braces for a struct.
var badValue = regexp.MustCompile(`: Invalid value: "(\{[^"]*\})?": `)

// sameTexts returns true if our messages are the server's messages with added advice.
//
// It also returns true if one of our errors is not about a member, such as an error about the
// discriminator. In this case, the server also validates the members, but we do not.
func sameTexts(native string, server []string) bool {
	ours := strings.Split(native, "\n")
	for _, line := range ours {
		if !badValue.MatchString(line) {
			return true
		}
	}
	if len(ours) != len(server) {
		return false
	}
	for _, text := range server {
		if !slices.ContainsFunc(ours, func(line string) bool {
			return strings.HasPrefix(badValue.ReplaceAllString(line, ": Invalid value: "), text+": ")
		}) {
			return false
		}
	}
	return true
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
