package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"union-reference-timing"
	"union-reference/crds"
)

// The parts of the report of tests/benches: what has the rows of real objects, and grown has the
// rows of objects of several sizes.
const what, grown = "crd", "crd, growing"

// A growth is a line of input: a CRD, a valid object of some size, and an object of this size with
// many errors.
type growth struct {
	Entries string          `json:"entries"`
	Size    int             `json:"size"`
	CRD     json.RawMessage `json:"crd"`
	Version string          `json:"version"`
	Valid   map[string]any  `json:"valid"`
	Spoiled map[string]any  `json:"spoiled"`
}

// benchmark times objects of several sizes, which it reads from in. If a folder is given, benchmark
// also times the objects in folder/valid with the CRDs in folder/crds. A call validates one object,
// and the objects of a kind take turns.
func benchmark(ctx context.Context, folder string, in io.Reader, out io.Writer, effort time.Duration) error {
	printer := timing.New(out, effort)
	if folder != "" {
		if err := timeFolder(ctx, folder, printer); err != nil {
			return err
		}
	}
	for decoder := json.NewDecoder(in); ; {
		var load growth
		if err := decoder.Decode(&load); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := load.time(ctx, printer); err != nil {
			return fmt.Errorf("%s, %d: %w", load.Entries, load.Size, err)
		}
	}
}

func timeFolder(ctx context.Context, folder string, printer *timing.Printer) error {
	definitions, err := documents(filepath.Join(folder, "crds"))
	if err != nil {
		return err
	}
	objects, err := documents(filepath.Join(folder, "valid"))
	if err != nil {
		return err
	}
	for _, kind := range []string{"HTTPRoute", "Gateway"} {
		crd, err := definition(definitions, kind)
		if err != nil {
			return err
		}
		for _, cel := range []string{"with", "without"} {
			if cel == "without" {
				withoutRules(crd)
			}
			resource, err := served(crd, "v1beta1")
			if err != nil {
				return err
			}
			if err := resource.time(ctx, objects, kind+" "+cel+" CEL, ", printer); err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
		}
	}
	return nil
}

// time prints the durations of a create and of two updates: an update of a label in a valid object,
// and an update of an object whose errors are tolerated, because the old object has them too.
func (g *growth) time(ctx context.Context, printer *timing.Printer) error {
	crd, err := crds.Read(g.CRD)
	if err != nil {
		return err
	}
	resource, err := served(crd, g.Version)
	if err != nil {
		return err
	}
	pair := func(object map[string]any) (*unstructured.Unstructured, *unstructured.Unstructured, error) {
		old := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
		if err := resource.decode(old.Object, false); err != nil {
			return nil, nil, err
		}
		new := old.DeepCopy()
		new.SetLabels(map[string]string{"changed": "yes"})
		return new, old, nil
	}
	new, old, err := pair(g.Valid)
	if err != nil {
		return err
	}
	newSpoiled, oldSpoiled, err := pair(g.Spoiled)
	if err != nil {
		return err
	}
	var errs field.ErrorList
	for _, each := range []struct {
		op string
		do func()
	}{
		{"create", func() { errs = resource.main.Validate(ctx, new) }},
		{"update", func() { errs = resource.main.ValidateUpdate(ctx, new, old) }},
		{"update of old errors", func() { errs = resource.main.ValidateUpdate(ctx, newSpoiled, oldSpoiled) }},
	} {
		row := timing.Row{What: grown, Name: g.Entries + ", " + each.op, Size: g.Size}
		if printer.IsSpent(row) {
			continue
		}
		if err := printer.Time(row, each.do, nil); err != nil {
			return err
		}
		if len(errs) > 0 {
			return fmt.Errorf("%s is rejected: %w", each.op, errs[0])
		}
	}
	return nil
}

func definition(definitions []map[string]any, kind string) (*apiextensions.CustomResourceDefinition, error) {
	for _, each := range definitions {
		if name, _, _ := unstructured.NestedString(each, "spec", "names", "kind"); name == kind {
			text, err := json.Marshal(each)
			if err != nil {
				return nil, err
			}
			return crds.Read(text)
		}
	}
	return nil, fmt.Errorf("no CRD for %s", kind)
}

func (r *resource) time(ctx context.Context, documents []map[string]any, prefix string, printer *timing.Printer) error {
	var raw []map[string]any
	var news, olds []*unstructured.Unstructured
	for _, document := range documents {
		object := unstructured.Unstructured{Object: runtime.DeepCopyJSON(document)}
		if object.GroupVersionKind() != r.kind {
			continue
		}
		object.SetNamespace("default")
		object.SetResourceVersion("7")
		raw = append(raw, runtime.DeepCopyJSON(object.Object))
		if err := r.decode(object.Object, false); err != nil {
			return err
		}
		changed := object.DeepCopy()
		changed.SetLabels(map[string]string{"changed": "yes"})
		errs := append(r.main.Validate(ctx, &object), r.main.ValidateUpdate(ctx, changed, &object)...)
		if len(errs) > 0 {
			return fmt.Errorf("%s is not valid: %w", object.GetName(), errs.ToAggregate())
		}
		olds, news = append(olds, &object), append(news, changed)
	}
	if len(news) == 0 {
		return errors.New("no objects")
	}
	// The objects take turns.
	i := 0
	next := func() int {
		i = (i + 1) % len(news)
		return i
	}
	row := func(op string) timing.Row { return timing.Row{What: what, Name: prefix + op} }
	if err := printer.Time(row("update"), func() { i := next(); r.main.ValidateUpdate(ctx, news[i], olds[i]) }, nil); err != nil {
		return err
	}
	create, err := printer.Cost(row("create"), func() { r.main.Validate(ctx, news[next()]) }, nil)
	if err != nil {
		return err
	}
	decode := printer.Least(func() { _ = r.decode(runtime.DeepCopyJSON(raw[next()]), false) })
	create.Ns += decode.Ns
	create.Allocs += decode.Allocs
	return printer.Print(row("create, with a copy"), create)
}

// withoutRules removes all CEL rules from a CRD.
func withoutRules(crd *apiextensions.CustomResourceDefinition) {
	if crd.Spec.Validation != nil {
		stripRules(crd.Spec.Validation.OpenAPIV3Schema)
	}
	for _, version := range crd.Spec.Versions {
		if version.Schema != nil {
			stripRules(version.Schema.OpenAPIV3Schema)
		}
	}
}

func stripRules(props *apiextensions.JSONSchemaProps) {
	if props == nil {
		return
	}
	props.XValidations = nil
	for key, each := range props.Properties {
		stripRules(&each)
		props.Properties[key] = each
	}
	if props.Items != nil {
		stripRules(props.Items.Schema)
	}
	if props.AdditionalProperties != nil {
		stripRules(props.AdditionalProperties.Schema)
	}
}
