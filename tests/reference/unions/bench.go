package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v4/typed"
	"sigs.k8s.io/structured-merge-diff/v4/value"

	"union-reference-timing"
)

// A workload is a line of input: an operation, the objects, and our results.
type workload struct {
	timing.Row
	// Op is normalize, apply, text (normalize JSON strings to a JSON string) or validate.
	Op     string          `json:"op"`
	Schema json.RawMessage `json:"schema"`
	Cases  []benchCase     `json:"cases"`
}

// A benchCase is one object. Old is null on a create. For apply, old is the applied object, and new
// the merged object.
type benchCase struct {
	Old  map[string]any `json:"old"`
	New  map[string]any `json:"new"`
	Want map[string]any `json:"want"`
	// Errors is the number of errors that validation reports.
	Errors int `json:"errors"`
}

// benchmark times the workloads that it reads. A call processes one object, and successive calls
// process the objects of a workload in turn.
func benchmark(in io.Reader, out io.Writer, effort time.Duration) error {
	decoder, printer := json.NewDecoder(in), timing.New(out, effort)
	for {
		var load workload
		if err := decoder.Decode(&load); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if printer.IsSpent(load.Row) {
			continue
		}
		do := load.timeUnions
		if load.Op == "validate" {
			do = load.timeValidation
		}
		if err := do(printer); err != nil {
			return fmt.Errorf("%s, %s, %d: %w", load.What, load.Name, load.Size, err)
		}
	}
}

// turns returns a function that calls do with 0, 1, ..., count-1, one number per call, and then
// starts again.
func turns(count int, do func(int)) func() {
	next := 0
	return func() {
		do(next)
		next = (next + 1) % count
	}
}

// timeUnions times structured-merge-diff. It changes the new object in place, so each call gets its
// own copy, whose cost is not counted.
func (w *workload) timeUnions(printer *timing.Printer) error {
	parser, err := parse(w.Schema)
	if err != nil {
		return err
	}
	root := parser.Type(root)
	read := func(object map[string]any) (*typed.TypedValue, error) {
		return root.FromUnstructured(object)
	}
	fresh := func(i int) (*typed.TypedValue, error) {
		return read(runtime.DeepCopyJSON(w.Cases[i].New))
	}
	olds := make([]*typed.TypedValue, len(w.Cases))
	for i, each := range w.Cases {
		if olds[i], err = read(each.Old); err != nil {
			return err
		}
	}
	do := func(i int, new *typed.TypedValue) (*typed.TypedValue, error) {
		if w.Op != "apply" {
			return olds[i].NormalizeUnions(new)
		}
		applied, err := olds[i].NormalizeUnionsApply(olds[i])
		if err != nil {
			return nil, err
		}
		return applied.NormalizeUnionsApply(new)
	}
	for i, each := range w.Cases {
		new, err := fresh(i)
		if err != nil {
			return err
		}
		found, err := do(i, new)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(found.AsValue().Unstructured(), any(each.Want)) {
			return fmt.Errorf("%v is wanted, not %v", each.Want, found.AsValue().Unstructured())
		}
	}
	if w.Op == "text" {
		return w.timeTexts(root, printer)
	}
	copied := turns(len(w.Cases), func(i int) { _, _ = fresh(i) })
	whole := turns(len(w.Cases), func(i int) {
		new, _ := fresh(i)
		_, _ = do(i, new)
	})
	return printer.Time(w.Row, whole, copied)
}

// timeTexts times normalization from JSON strings to a JSON string.
func (w *workload) timeTexts(root typed.ParseableType, printer *timing.Printer) error {
	type texts struct{ old, new []byte }
	var all []texts
	for _, each := range w.Cases {
		old, err := json.Marshal(each.Old)
		if err != nil {
			return err
		}
		new, err := json.Marshal(each.New)
		if err != nil {
			return err
		}
		all = append(all, texts{old, new})
	}
	read := func(text []byte) *typed.TypedValue {
		// Kubernetes calls the same functions to parse JSON for structured-merge-diff.
		found, _ := value.FromJSONFast(text)
		object, _ := root.FromUnstructured(found.Unstructured())
		return object
	}
	return printer.Time(w.Row, turns(len(all), func(i int) {
		found, _ := read(all[i].old).NormalizeUnions(read(all[i].new))
		_, _ = value.ToJSON(found.AsValue())
	}), nil)
}
