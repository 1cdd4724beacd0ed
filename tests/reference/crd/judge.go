package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"union-reference/crds"
)

// A question is one line of input.
type question struct {
	Op     string          `json:"op"`
	Schema json.RawMessage `json:"schema"`
	CRD    json.RawMessage `json:"crd"`
	Status bool            `json:"status_subresource"`
	Old    map[string]any  `json:"old"`
	New    map[string]any  `json:"new"`
	// Validation is "Warn" if the result has a warning for each unknown field of New.
	Validation string `json:"field_validation"`
	// Body is sent in place of New or CRD.
	Body *body `json:"body"`

	Use *use `json:"use"`
}

type use struct {
	CRD     json.RawMessage `json:"crd"`
	Version string          `json:"version"`
	Schema  json.RawMessage `json:"schema"`
	Status  bool            `json:"status_subresource"`
	// Stored is true if the CRD is already stored, so that the CRD itself is not validated.
	Stored bool `json:"stored"`
}

// notServed is the type of the error of a stored CRD that the server cannot serve.
const notServed = "NotServed"

type answer struct {
	Object   map[string]any `json:"object,omitempty"`
	Errors   []failure      `json:"errors"`
	Warnings []string       `json:"warnings"`
	// Panic is the message of a panic of the server's code.
	Panic string `json:"panic,omitempty"`
}

// A usage is the result of a line with "use".
type usage struct {
	Errors []failure `json:"errors,omitempty"`
}

// A judge returns the API server's results.
type judge struct {
	used *resource
	// own is the resource of the last line with its own schema. ownText is this schema.
	own     *resource
	ownText string
}

func newJudge() *judge { return &judge{} }

// defaultKind is the kind of the resource if a line has a schema, but no CRD.
var defaultKind = schema.GroupVersionKind{Group: "mygroup.example.com", Version: "v1beta1", Kind: "MyCoolCRD"}

func defaultMetadata() map[string]any {
	return map[string]any{"name": "mycrdinstance", "namespace": "default", "resourceVersion": "7", "uid": "abc"}
}

// answer returns the server's result. After a panic of the server's code, the next line is still
// processed.
func (j *judge) answer(ctx context.Context, q *question) (found any, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			found, err = &answer{Errors: []failure{}, Warnings: []string{}, Panic: fmt.Sprint(broken)}, nil
		}
	}()
	return j.say(ctx, q)
}

func (j *judge) say(ctx context.Context, q *question) (any, error) {
	switch {
	case q.Use != nil:
		return j.use(ctx, q.Use)
	case q.Op == "crd" && q.Body != nil:
		return receiveCRD(ctx, q)
	case q.Op == "crd":
		text := q.CRD
		if text == nil {
			text = crdOf(q.Schema, q.Status)
		}
		crd, err := crds.Read(text)
		if err != nil {
			return &answer{Errors: badRequest(err), Warnings: []string{}}, nil
		}
		return lint(ctx, crd), nil
	}
	by := j.used
	if q.Schema != nil {
		var err error
		if by, err = j.bySchema(q.Schema, q.Op == "status" || q.Status); err != nil {
			return nil, err
		}
	}
	if by == nil {
		// The last "use" line was rejected, but the caller may send more lines.
		return &answer{Errors: badRequest(errors.New("no schema is set")), Warnings: []string{}}, nil
	}
	if q.Body != nil {
		return by.receive(ctx, q)
	}
	if q.New == nil {
		return nil, fmt.Errorf("%q needs a new object", q.Op)
	}
	added, warned := by.complete(q.New), q.Validation == metav1.FieldValidationWarn
	if q.Op == "create" {
		found, err := by.create(ctx, q.New, warned)
		return found.without(added), err
	}
	if q.Old == nil {
		return nil, fmt.Errorf("%q needs an old object", q.Op)
	}
	by.complete(q.Old)
	strategy := by.status
	switch q.Op {
	case "status":
	case "update":
		strategy = by.main
	default:
		return nil, fmt.Errorf("unknown op %q", q.Op)
	}
	found, err := by.update(ctx, strategy, q.New, q.Old, warned)
	return found.without(added), err
}

func (j *judge) bySchema(text json.RawMessage, status bool) (*resource, error) {
	key := fmt.Sprint(status, string(text))
	if j.own != nil && key == j.ownText {
		return j.own, nil
	}
	props, err := crds.ReadSchema(text)
	if err != nil {
		return nil, err
	}
	serving := serving{kind: defaultKind, namespaced: true}
	if status {
		serving.subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
	}
	found, err := newResource(props, serving)
	if err != nil {
		return nil, err
	}
	j.own, j.ownText = found, key
	return found, nil
}

func (j *judge) use(ctx context.Context, what *use) (*usage, error) {
	j.used = nil
	text, version := what.CRD, what.Version
	if text == nil {
		text, version = crdOf(what.Schema, what.Status), defaultKind.Version
	}
	crd, err := crds.Read(text)
	if err != nil {
		return &usage{Errors: badRequest(err)}, nil
	}
	if !what.Stored {
		if found := lint(ctx, crd); len(found.Errors) > 0 {
			return &usage{Errors: found.Errors}, nil
		}
	}
	found, err := served(crd, version)
	if err != nil && what.Stored {
		// A server does not serve a stored CRD whose schema it cannot convert.
		return &usage{Errors: []failure{{Type: notServed, Text: err.Error()}}}, nil
	}
	if err != nil {
		return nil, err
	}
	j.used = found
	return &usage{}, nil
}

// served returns a version of a CRD, or the storage version if no version is given.
func served(crd *apiextensions.CustomResourceDefinition, version string) (*resource, error) {
	for _, each := range crd.Spec.Versions {
		if each.Name != version && !(version == "" && each.Storage) {
			continue
		}
		validation, err := apiextensions.GetSchemaForVersion(crd, each.Name)
		if err != nil {
			return nil, err
		}
		subresources, err := apiextensions.GetSubresourcesForVersion(crd, each.Name)
		if err != nil {
			return nil, err
		}
		return newResource(validation.OpenAPIV3Schema, serving{
			kind:         schema.GroupVersionKind{Group: crd.Spec.Group, Version: each.Name, Kind: crd.Spec.Names.Kind},
			namespaced:   crd.Spec.Scope == apiextensions.NamespaceScoped,
			subresources: subresources,
			preserves:    crd.Spec.PreserveUnknownFields != nil && *crd.Spec.PreserveUnknownFields,
		})
	}
	return nil, fmt.Errorf("the CRD has no version %q", version)
}

// lint returns the server's result for a create of the CRD. A panic of the server's code, which
// happens for a few CRDs, is returned as an error.
func lint(ctx context.Context, crd *apiextensions.CustomResourceDefinition) (found *answer) {
	defer func() {
		if broken := recover(); broken != nil {
			found = &answer{Errors: []failure{{Type: "Panic", Text: fmt.Sprint(broken)}}, Warnings: []string{}}
		}
	}()
	// WarningsOnCreate does not use the object typer of the strategy, so the typer may be nil.
	strategy := customresourcedefinition.NewStrategy(nil)
	return &answer{
		Errors:   failures(crds.Lint(ctx, crd)),
		Warnings: append([]string{}, strategy.WarningsOnCreate(ctx, crd)...),
	}
}

// crdOf returns a CRD for a schema.
func crdOf(openAPIV3Schema json.RawMessage, status bool) []byte {
	version := map[string]any{
		"name": defaultKind.Version, "served": true, "storage": true,
		"schema": map[string]any{"openAPIV3Schema": openAPIV3Schema},
	}
	if status {
		version["subresources"] = map[string]any{"status": map[string]any{}}
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "mycoolcrds." + defaultKind.Group},
		"spec": map[string]any{
			"group":    defaultKind.Group,
			"names":    map[string]any{"kind": defaultKind.Kind, "plural": "mycoolcrds"},
			"scope":    "Namespaced",
			"versions": []any{version},
		},
	})
	if err != nil {
		panic(err)
	}
	return text
}

// complete adds missing fields that every object on a server has, and returns the names of the
// added fields.
func (r *resource) complete(object map[string]any) []string {
	apiVersion, kind := r.kind.ToAPIVersionAndKind()
	all := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": defaultMetadata()}
	maps.DeleteFunc(all, func(key string, _ any) bool {
		_, has := object[key]
		return has
	})
	added := []string{}
	for key, value := range all {
		object[key] = value
		added = append(added, key)
	}
	return added
}

func (a *answer) without(added []string) *answer {
	if a != nil {
		for _, key := range added {
			delete(a.Object, key)
		}
	}
	return a
}
