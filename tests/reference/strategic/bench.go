package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"union-reference-timing"
)

// A workload is a line of input: the JSON documents of a request, and their schema.
type workload struct {
	List     string          `json:"list"`
	Items    int             `json:"items"`
	Schema   json.RawMessage `json:"schema"`
	Original json.RawMessage `json:"original"`
	Modified json.RawMessage `json:"modified"`
	Current  json.RawMessage `json:"current"`
}

// benchmark times the workloads that it reads. It skips a list if a smaller list of the same kind
// took too long.
func benchmark(in io.Reader, out io.Writer, effort time.Duration) error {
	decoder, printer := json.NewDecoder(in), timing.New(out, effort)
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
		if err := load.time(schema, printer); err != nil {
			return fmt.Errorf("%s, %d: %w", load.List, load.Items, err)
		}
	}
}

// time prints two rows for each operation: the time of the call, which gets and returns JSON
// strings, and this time without the parsing and printing of JSON.
func (w *workload) time(schema strategicpatch.LookupPatchMeta, printer *timing.Printer) error {
	operations := []struct {
		name   string
		inputs []json.RawMessage
		do     func(patch []byte) ([]byte, error)
	}{
		{"diff", []json.RawMessage{w.Original, w.Modified}, func([]byte) ([]byte, error) {
			return strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(w.Original, w.Modified, schema)
		}},
		{"three-way diff", []json.RawMessage{w.Original, w.Modified, w.Current}, func([]byte) ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(w.Original, w.Modified, w.Current, schema, false)
		}},
		{"apply", []json.RawMessage{w.Original}, func(patch []byte) ([]byte, error) {
			return strategicpatch.StrategicMergePatchUsingLookupPatchMeta(w.Original, patch, schema)
		}},
	}
	var patch []byte
	for _, operation := range operations {
		alone := timing.Row{What: "patch", Name: w.List + ", " + operation.name, Size: w.Items}
		whole := alone
		whole.Name += ", text to text"
		if printer.IsSpent(whole) || (operation.name == "apply" && patch == nil) {
			continue
		}
		var result []byte
		var err error
		cost, printErr := printer.Cost(whole, func() { result, err = operation.do(patch) }, nil)
		if err != nil {
			return err
		}
		if printErr != nil {
			return printErr
		}
		inputs := operation.inputs
		if operation.name == "diff" {
			patch = result
		} else if operation.name == "apply" {
			inputs = append(inputs, patch)
		}
		document := map[string]any{}
		if err := utiljson.Unmarshal(result, &document); err != nil {
			return err
		}
		texts := printer.Least(func() {
			for _, text := range inputs {
				read := map[string]any{}
				_ = utiljson.Unmarshal(text, &read)
			}
			_, _ = json.Marshal(document)
		})
		if err := printer.Print(alone, cost.Without(texts)); err != nil {
			return err
		}
	}
	return nil
}
