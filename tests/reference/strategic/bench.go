package main

import (
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// A workload is a line of input: documents as they are read from a request, and the schema that they are for.
type workload struct {
	List     string          `json:"list"`
	Items    int             `json:"items"`
	Schema   json.RawMessage `json:"schema"`
	Original json.RawMessage `json:"original"`
	Modified json.RawMessage `json:"modified"`
	Current  json.RawMessage `json:"current"`
}

// A timing is one line of output: how long an operation takes from texts to text, and how long these are read and written.
type timing struct {
	List  string `json:"list"`
	Items int    `json:"items"`
	Op    string `json:"op"`
	Ns    int64  `json:"ns"`
	JSON  int64  `json:"json_ns"`
}

// patience is how long one call may take for larger lists to be tried.
const patience = 4 * time.Second

// benchmark times the workloads that it reads. A list is left out if a smaller one of its kind took too long.
func benchmark(in io.Reader, out io.Writer) error {
	decoder, encoder := json.NewDecoder(in), json.NewEncoder(out)
	spent := map[string]bool{}
	for {
		var load workload
		if err := decoder.Decode(&load); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		schema, err := lookupV3(load.Schema)
		if err != nil {
			return err
		}
		if err := load.time(schema, spent, encoder); err != nil {
			return fmt.Errorf("%s, %d: %w", load.List, load.Items, err)
		}
	}
}

func (w *workload) time(schema strategicpatch.LookupPatchMeta, spent map[string]bool, encoder *json.Encoder) error {
	operations := []struct {
		name   string
		inputs []json.RawMessage
		do     func(patch []byte) ([]byte, error)
	}{
		{"diff", []json.RawMessage{w.Original, w.Modified}, func([]byte) ([]byte, error) {
			return strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(w.Original, w.Modified, schema)
		}},
		{"three_way", []json.RawMessage{w.Original, w.Modified, w.Current}, func([]byte) ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(w.Original, w.Modified, w.Current, schema, false)
		}},
		{"apply", []json.RawMessage{w.Original}, func(patch []byte) ([]byte, error) {
			return strategicpatch.StrategicMergePatchUsingLookupPatchMeta(w.Original, patch, schema)
		}},
	}
	var patch []byte
	for _, operation := range operations {
		key := w.List + operation.name
		if spent[key] && operation.name != "diff" {
			continue
		}
		start := time.Now()
		result, err := operation.do(patch)
		took := time.Since(start)
		if err != nil {
			return err
		}
		inputs := operation.inputs
		if operation.name == "diff" {
			patch = result
		} else if operation.name == "apply" {
			inputs = append(inputs, patch)
		}
		spent[key] = took > patience/50
		ns := took.Nanoseconds()
		if took < patience/4 {
			ns = min(ns, least(func() { _, _ = operation.do(patch) }))
		}
		reading := least(func() {
			for _, text := range append(inputs, result) {
				document := map[string]any{}
				_ = utiljson.Unmarshal(text, &document)
			}
		})
		err = encoder.Encode(timing{List: w.List, Items: w.Items, Op: operation.name, Ns: ns, JSON: reading})
		if err != nil {
			return err
		}
	}
	return nil
}

// least is the fastest of three: other programs only make it slower.
func least(do func()) int64 {
	var fastest int64
	for round := range 3 {
		next := testing.Benchmark(func(b *testing.B) {
			for range b.N {
				do()
			}
		}).NsPerOp()
		if round == 0 || next < fastest {
			fastest = next
		}
	}
	return fastest
}
