package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/merge"
	"sigs.k8s.io/structured-merge-diff/v4/typed"
)

type normalizeQuestion struct {
	Schema string `json:"schema"`
	Old    any    `json:"old"`
	New    any    `json:"new"`
}

type applyQuestion struct {
	Schema  string `json:"schema"`
	Live    any    `json:"live"`
	Applied any    `json:"applied"`
}

type normalizeAnswer struct {
	Merged any `json:"merged,omitempty"`
	Object any `json:"object,omitempty"`
	refusal
}

// normalize returns the result of an update, or of a create if there is no old object.
func (s schemas) normalize(q *normalizeQuestion) (*normalizeAnswer, error) {
	objects, err := s.typed(q.Schema, q.Old, q.New)
	if err != nil {
		return nil, err
	}
	return answerOrRefuse(nil, func() (*typed.TypedValue, error) {
		object, _, err := updater().Update(objects[0], objects[1], version, fieldpath.ManagedFields{}, manager)
		return object, err
	}), nil
}

// apply returns the result of a server-side apply by a new field manager, and the merged object
// before normalization.
func (s schemas) apply(q *applyQuestion) (*normalizeAnswer, error) {
	// The code changes objects in place, so each call gets its own copies.
	objects, err := s.typed(q.Schema, q.Live, q.Applied)
	if err != nil {
		return nil, err
	}
	merged, err := objects[0].Merge(objects[1])
	if err != nil {
		return nil, err
	}
	mergedObject := runtime.DeepCopyJSONValue(merged.AsValue().Unstructured())
	objects, err = s.typed(q.Schema, runtime.DeepCopyJSONValue(q.Live), runtime.DeepCopyJSONValue(q.Applied))
	if err != nil {
		return nil, err
	}
	return answerOrRefuse(mergedObject, func() (*typed.TypedValue, error) {
		object, _, err := updater().Apply(objects[0], objects[1], version, fieldpath.ManagedFields{}, manager, false)
		if err == nil && object == nil {
			// A nil object means that the apply changes nothing.
			return objects[0], nil
		}
		return object, err
	}), nil
}

func (s schemas) typed(name string, objects ...any) ([]*typed.TypedValue, error) {
	schema, err := s.find(name)
	if err != nil {
		return nil, err
	}
	found := make([]*typed.TypedValue, 0, len(objects))
	for _, object := range objects {
		value, err := schema.FromUnstructured(object)
		if err != nil {
			return nil, err
		}
		found = append(found, value)
	}
	return found, nil
}

// answerOrRefuse returns the result of ask. A panic is returned as an error, because an API server
// rejects the request.
func answerOrRefuse(merged any, ask func() (*typed.TypedValue, error)) (answer *normalizeAnswer) {
	answer = &normalizeAnswer{Merged: merged}
	defer func() {
		if panicked := recover(); panicked != nil {
			answer.Error = fmt.Sprintf("panic: %v", panicked)
		}
	}()
	object, err := ask()
	if err != nil {
		answer.Error = err.Error()
		return answer
	}
	answer.Object = object.AsValue().Unstructured()
	return answer
}

const (
	version = fieldpath.APIVersion(root)
	manager = "somebody"
)

func updater() *merge.Updater {
	updater := &merge.Updater{Converter: sameVersion{}}
	updater.EnableUnionFeature()
	return updater
}

// sameVersion is a converter of versions that returns the object unchanged, because all types have
// one version.
type sameVersion struct{}

func (sameVersion) Convert(object *typed.TypedValue, _ fieldpath.APIVersion) (*typed.TypedValue, error) {
	return object, nil
}

func (sameVersion) IsMissingVersionError(error) bool {
	return false
}
