package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A table is a file of cases with known results: single requests, or scenarios of several.
type table struct {
	Cases     []known    `json:"cases"`
	Scenarios []scenario `json:"scenarios"`
}

type known struct {
	question
	Name        string         `json:"name"`
	Expect      string         `json:"expect"`
	Errors      [][3]string    `json:"errors"`
	DecodeError string         `json:"decode_error"`
	Warnings    []string       `json:"warnings"`
	Effective   map[string]any `json:"effective_new"`
	// Unsteady is present if the server's errors are not the same in each run.
	Unsteady json.RawMessage `json:"nondeterministic_errors"`
}

type scenario struct {
	Name  string `json:"name"`
	Steps []step `json:"steps"`
}

type step struct {
	Op          string         `json:"op"`
	Schema      map[string]any `json:"schema"`
	Patch       map[string]any `json:"patch"`
	Object      map[string]any `json:"object"`
	Subresource string         `json:"subresource"`
	Expect      string         `json:"expect"`
}

func checkTables(ctx context.Context, files []string) error {
	judge := newJudge()
	agree, differ := 0, 0
	report := func(name string, err error) {
		if err == nil {
			agree++
			return
		}
		differ++
		fmt.Printf("DIFFERENT %s: %v\n", name, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var table table
		if err := utiljson.Unmarshal(text, &table); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, known := range table.Cases {
			report(known.Name, known.check(ctx, judge))
		}
		for _, scenario := range table.Scenarios {
			scenario.check(ctx, judge, report)
		}
	}
	fmt.Printf("%d known results agree, %d differ\n", agree, differ)
	if differ > 0 || agree == 0 {
		return fmt.Errorf("the server's code does not answer as the tables say")
	}
	return nil
}

func (k *known) check(ctx context.Context, judge *judge) error {
	found, err := judge.answer(ctx, &k.question)
	if err != nil {
		return err
	}
	actual := found.(*answer)
	wanted := []failure{}
	for _, each := range k.Errors {
		wanted = append(wanted, failure{each[0], each[1], each[2]})
	}
	if text, ok := strings.CutPrefix(k.DecodeError, "DECODE: "); ok {
		field, _, _ := strings.Cut(text, ":")
		wanted = append(wanted, failure{"BadRequest", field, text})
	}
	switch {
	case (len(actual.Errors) == 0) != (k.Expect == "ok"):
		return fmt.Errorf("expected %s, found %v", k.Expect, actual.Errors)
	case k.Unsteady != nil:
		return nil
	case !sameSet(actual.Errors, wanted):
		return fmt.Errorf("expected errors %q, found %q", wanted, actual.Errors)
	case k.Op != "crd" && !sameSet(actual.Warnings, k.Warnings):
		return fmt.Errorf("expected warnings %q, found %q", k.Warnings, actual.Warnings)
	case k.Effective != nil && !sameJSON(actual.Object, k.Effective):
		return fmt.Errorf("expected the object %v, found %v", k.Effective, actual.Object)
	}
	return nil
}

func (s *scenario) check(ctx context.Context, judge *judge, report func(string, error)) {
	var schema, stored map[string]any
	for i, step := range s.Steps {
		name := fmt.Sprintf("%s, step %d", s.Name, i)
		switch step.Op {
		case "schema":
			schema = step.Schema
		case "patch_schema":
			merge(schema, step.Patch)
		default:
			report(name, step.apply(ctx, judge, schema, &stored))
		}
	}
}

func (s *step) apply(ctx context.Context, judge *judge, schema map[string]any, stored *map[string]any) error {
	text, err := json.Marshal(schema)
	if err != nil {
		return err
	}
	q := question{Op: "update", Schema: text, New: runtime.DeepCopyJSON(s.Object)}
	switch {
	case s.Subresource == "status":
		q.Op = "status"
		if *stored == nil {
			*stored = runtime.DeepCopyJSON(s.Object)
			delete(*stored, "status")
		}
	case *stored == nil:
		q.Op = "create"
	}
	if q.Op != "create" {
		q.Old = runtime.DeepCopyJSON(*stored)
	}
	found, err := judge.answer(ctx, &q)
	if err != nil {
		return err
	}
	actual := found.(*answer)
	if (len(actual.Errors) == 0) != (s.Expect == "ok") {
		return fmt.Errorf("expected %s, found %v", s.Expect, actual.Errors)
	}
	if len(actual.Errors) == 0 {
		*stored = actual.Object
	}
	return nil
}

// merge applies a JSON merge patch.
func merge(object, patch map[string]any) {
	for key, value := range patch {
		if value == nil {
			delete(object, key)
			continue
		}
		inner, isObject := value.(map[string]any)
		if !isObject {
			object[key] = value
			continue
		}
		into, ok := object[key].(map[string]any)
		if !ok {
			into = map[string]any{}
			object[key] = into
		}
		merge(into, inner)
	}
}

func sameSet[T comparable](one, other []T) bool {
	within := func(part, whole []T) bool {
		return !slices.ContainsFunc(part, func(each T) bool { return !slices.Contains(whole, each) })
	}
	return within(one, other) && within(other, one)
}

// sameJSON returns true if two values have the same JSON. The numbers 1 and 1.0 differ, because the
// server distinguishes them.
func sameJSON(one, other any) bool {
	if reflect.DeepEqual(one, other) {
		return true
	}
	a, errA := json.Marshal(one)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
