package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
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

// patience is how long one call may take for a list of ten times as many items to be tried: that takes some hundred times as
// long.
const patience = 3 * time.Second

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
		if spent[key] || (operation.name == "apply" && patch == nil) {
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
		spent[key] = took > patience
		ns := took.Nanoseconds()
		if took < time.Second {
			ns = min(ns, least(func() { _, _ = operation.do(patch) }))
		}
		document := map[string]any{}
		if err := utiljson.Unmarshal(result, &document); err != nil {
			return err
		}
		texts := least(func() {
			for _, text := range inputs {
				read := map[string]any{}
				_ = utiljson.Unmarshal(text, &read)
			}
			_, _ = json.Marshal(document)
		})
		err = encoder.Encode(timing{List: w.List, Items: w.Items, Op: operation.name, Ns: ns, JSON: texts})
		if err != nil {
			return err
		}
	}
	return nil
}

// least is the fastest of many short rounds: other programs only make it slower.
func least(do func()) int64 {
	fastest := int64(math.MaxInt64)
	for start := time.Now(); time.Since(start) < time.Second; {
		calls, round := int64(0), time.Now()
		// Long enough for the clock, and short enough to be left alone by other programs now and then.
		for time.Since(round) < 2*time.Millisecond {
			do()
			calls++
		}
		fastest = min(fastest, time.Since(round).Nanoseconds()/calls)
	}
	return fastest
}
