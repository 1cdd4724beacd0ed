// The reference for single CEL expressions: the API server's own environment
// (k8s.io/apiserver/pkg/cel/environment) compiles, estimates and evaluates them, as
// k8s.io/apiextensions-apiserver does with a rule of a schema.
//
// It reads JSON lines from stdin, and writes a result for each line:
//
//	{"declare": "name", "schema": <openAPIV3Schema>, "version": "1.36", "optionalOldSelf": false}  ->  {}
//	{"in": "name", "expression": "...", "self": ..., "oldSelf": ...}                               ->  an answer, see answer.go
//	{"table": "1.36", "stored": false}                                                             ->  {"functions": [...], "macros": [...]}
//
// Later lines refer to a declaration by its name.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A question is one line of input.
type question struct {
	Declare         string          `json:"declare"`
	Schema          json.RawMessage `json:"schema"`
	Version         string          `json:"version"`
	OptionalOldSelf bool            `json:"optionalOldSelf"`

	In         string `json:"in"`
	Expression string `json:"expression"`
	Self       any    `json:"self"`
	OldSelf    any    `json:"oldSelf"`

	Table  string `json:"table"`
	Stored bool   `json:"stored"`
}

// A table has the functions and macros of an environment, or none if the modules do not list them.
type table struct {
	// Functions are overloads, such as "string.charAt(int) -> string" or "size(list(A)) -> int".
	Functions []string `json:"functions"`
	// Macros are the keys of macros: name, number of arguments, and true if the macro has a
	// receiver.
	Macros []string `json:"macros"`
}

func main() {
	if err := answerAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answerAll processes all lines. It buffers the results, because the caller writes and reads lines
// in different threads, and does not wait for a result before it writes the next line.
func answerAll(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<20)
	answers := bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(answers)
	declared := map[string]*declaration{}
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return answers.Flush()
		}
		if err != nil {
			return err
		}
		answer, err := answerLine(declared, line)
		if err != nil {
			return fmt.Errorf("%w: %s", err, line)
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
		if lines.Buffered() == 0 {
			if err := answers.Flush(); err != nil {
				return err
			}
		}
	}
}

func answerLine(declared map[string]*declaration, line []byte) (any, error) {
	var q question
	if err := utiljson.Unmarshal(line, &q); err != nil {
		return nil, err
	}
	switch {
	case q.Table != "":
		return tableOf(q.Table, q.Stored)
	case q.Declare != "":
		made, err := declare(&q)
		declared[q.Declare] = made
		return struct{}{}, err
	}
	by := declared[q.In]
	if by == nil {
		return nil, fmt.Errorf("nothing is declared as %q", q.In)
	}
	return by.answer(&q), nil
}
