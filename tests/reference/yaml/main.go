// The reference for k8s-yaml: kubectl's parser of files. apimachinery splits a file into documents,
// sigs.k8s.io/yaml converts the documents to JSON, and apimachinery parses the JSON.
//
// It reads JSON lines from stdin, and writes a result for each line:
//
//	{"text": "a: 010"}  ->  {"documents": [{"a": 8}]}
//	{"text": "a: ["}  ->  {"error": "error converting YAML to JSON: ..."}
//
// The result also has "strict", the error of a parser that rejects repeated keys.
//
// A line with "emit" is repeated with the value as sigs.k8s.io/yaml prints it, so that the results
// for crates/k8s-yaml/tests/emitted.jsonl have the form of that file:
//
//	{"emit": {"a": "no"}}  ->  {"emit": {"a": "no"}, "text": "a: \"no\"\n"}
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"union-reference/lines"
)

type question struct {
	Text string          `json:"text"`
	Emit json.RawMessage `json:"emit"`
}

type emitted struct {
	Emit  json.RawMessage `json:"emit"`
	Text  string          `json:"text,omitempty"`
	Error string          `json:"error,omitempty"`
}

type answer struct {
	Documents []any  `json:"documents"`
	Error     string `json:"error,omitempty"`
	Strict    string `json:"strict,omitempty"`
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

func judge(q *question) (any, error) {
	if q.Emit != nil {
		return emit(q.Emit)
	}
	return parse(q)
}

// emit returns a value as YAML, as the message of a conflict of strategic merge patches has it.
func emit(text json.RawMessage) (*emitted, error) {
	var value any
	if err := utiljson.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	printed, err := yaml.Marshal(value)
	if err != nil {
		return &emitted{Emit: text, Error: err.Error()}, nil
	}
	return &emitted{Emit: text, Text: string(printed)}, nil
}

func parse(q *question) (found *answer, err error) {
	// go-yaml's scanner panics on some inputs.
	defer func() {
		if problem := recover(); problem != nil {
			found = &answer{Documents: []any{}, Error: fmt.Sprintf("panic: %v", problem)}
		}
	}()
	documents, err := read(q.Text)
	if err != nil {
		return &answer{Documents: []any{}, Error: err.Error()}, nil
	}
	return &answer{Documents: documents, Strict: strict(q.Text)}, nil
}

// read returns the documents of a file, with the functions that kubectl's StreamVisitor calls.
func read(text string) ([]any, error) {
	documents := []any{}
	decoder := utilyaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var raw runtime.RawExtension
		if err := decoder.Decode(&raw); err != nil {
			if errors.Is(err, io.EOF) {
				return documents, nil
			}
			return nil, err
		}
		trimmed := bytes.TrimSpace(raw.Raw)
		if len(trimmed) == 0 || bytes.Equal(trimmed, []byte("null")) {
			continue
		}
		var document any
		if err := utiljson.Unmarshal(trimmed, &document); err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
}

// strict returns the error about a repeated key that a server with strict field validation reports
// for these documents.
func strict(text string) string {
	if utilyaml.IsJSONBuffer([]byte(text[:min(len(text), 4096)])) {
		decoder := json.NewDecoder(strings.NewReader(text))
		rest := text
		for {
			var raw json.RawMessage
			if decoder.Decode(&raw) != nil {
				break
			}
			var document any
			if problems, _ := kjson.UnmarshalStrict(raw, &document); len(problems) > 0 {
				return problems[0].Error()
			}
			rest = text[decoder.InputOffset():]
		}
		// A YAML document may follow the JSON documents.
		text = rest
		for len(text) > 0 && text[0] != '\n' {
			char, size := utf8.DecodeRuneInString(text)
			if !unicode.IsSpace(char) {
				break
			}
			text = text[size:]
		}
		text = strings.TrimPrefix(text, "\n")
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		document, err := reader.Read()
		if err != nil {
			return ""
		}
		if _, err := yaml.YAMLToJSONStrict(document); err != nil {
			return err.Error()
		}
	}
}
