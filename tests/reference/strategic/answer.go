package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type question struct {
	Use      *use              `json:"use"`
	Original json.RawMessage   `json:"original"`
	Modified json.RawMessage   `json:"modified"`
	Current  json.RawMessage   `json:"current"`
	Patch    json.RawMessage   `json:"patch"`
	Patches  []json.RawMessage `json:"patches"`
	Only     string            `json:"only"`
	Repeat   int               `json:"repeat"`
}

// An outcome is one of the possible outcomes of an operation.
type outcome struct {
	OK       json.RawMessage `json:"ok,omitempty"`
	Error    string          `json:"error,omitempty"`
	Conflict string          `json:"conflict,omitempty"`
	Panic    string          `json:"panic,omitempty"`
}

type asker struct {
	schema strategicpatch.LookupPatchMeta
}

func (a *asker) answer(q *question) (any, error) {
	if q.Use != nil {
		schema, err := q.Use.lookup()
		a.schema = schema
		return struct{}{}, err
	}
	if a.schema == nil {
		return nil, errors.New("there is no schema yet")
	}
	operations := map[string]func() ([]byte, error){
		"diff": func() ([]byte, error) {
			return strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(q.Original, q.Modified, a.schema)
		},
		"three_way": func() ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(q.Original, q.Modified, q.Current, a.schema, false)
		},
		"overwrite": func() ([]byte, error) {
			return strategicpatch.CreateThreeWayMergePatch(q.Original, q.Modified, q.Current, a.schema, true)
		},
		"apply": func() ([]byte, error) {
			return strategicpatch.StrategicMergePatchUsingLookupPatchMeta(q.Current, q.Patch, a.schema)
		},
		"compose": func() ([]byte, error) { return a.compose(q.Patches) },
	}
	found := map[string][]outcome{}
	for name, operation := range operations {
		if q.Only != "" && q.Only != name {
			continue
		}
		for range max(q.Repeat, 1) {
			next := do(operation)
			known := func(each outcome) bool { return reflect.DeepEqual(each, next) }
			if !slices.ContainsFunc(found[name], known) {
				found[name] = append(found[name], next)
			}
		}
	}
	return found, nil
}

func (a *asker) compose(texts []json.RawMessage) ([]byte, error) {
	var patches []strategicpatch.JSONMap
	for _, text := range texts {
		patch := strategicpatch.JSONMap{}
		if err := utiljson.Unmarshal(text, &patch); err != nil {
			return nil, mergepatch.ErrBadJSONDoc
		}
		patches = append(patches, patch)
	}
	composed, err := strategicpatch.MergeStrategicMergeMapPatchUsingLookupPatchMeta(a.schema, patches...)
	if err != nil {
		return nil, err
	}
	return json.Marshal(composed)
}

func do(operation func() ([]byte, error)) (found outcome) {
	defer func() {
		if reason := recover(); reason != nil {
			found = outcome{Panic: fmt.Sprint(reason)}
		}
	}()
	text, err := operation()
	switch {
	case err == nil:
		return outcome{OK: text}
	case mergepatch.IsConflict(err):
		return outcome{Conflict: err.Error()}
	default:
		return outcome{Error: err.Error()}
	}
}
