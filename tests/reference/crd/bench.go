package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"union-reference/crds"
)

// A timing is one line of output: how long one object of this kind takes.
type timing struct {
	Kind    string `json:"kind"`
	Objects int    `json:"objects"`
	// Op is a step: a copy of the object, a copy that is decoded (pruning, nulls, defaults), and the validation alone of a
	// create or an update.
	Op     string `json:"op"`
	CEL    bool   `json:"cel"`
	Ns     int64  `json:"ns_per_op"`
	Allocs int64  `json:"allocs_per_op"`
	Bytes  int64  `json:"bytes_per_op"`
}

// benchmark times the objects in folder/valid by the CRDs in folder/crds. An op is one object, and the objects of a kind
// take turns. In an update nothing but a label changed.
func benchmark(ctx context.Context, folder string, out io.Writer) error {
	definitions, err := documents(filepath.Join(folder, "crds"))
	if err != nil {
		return err
	}
	objects, err := documents(filepath.Join(folder, "valid"))
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for _, kind := range []string{"HTTPRoute", "Gateway"} {
		crd, err := definition(definitions, kind)
		if err != nil {
			return err
		}
		for _, withCEL := range []bool{true, false} {
			if !withCEL {
				withoutRules(crd)
			}
			resource, err := served(crd, "v1beta1")
			if err != nil {
				return err
			}
			found, err := resource.time(ctx, objects)
			if err != nil {
				return fmt.Errorf("%s: %w", kind, err)
			}
			for _, each := range found {
				each.Kind, each.CEL = kind, withCEL
				if err := encoder.Encode(each); err != nil {
					return err
				}
			}
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

func (r *resource) time(ctx context.Context, documents []map[string]any) ([]timing, error) {
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
			return nil, err
		}
		changed := object.DeepCopy()
		changed.SetLabels(map[string]string{"changed": "yes"})
		errs := append(r.main.Validate(ctx, &object), r.main.ValidateUpdate(ctx, changed, &object)...)
		if len(errs) > 0 {
			return nil, fmt.Errorf("%s is not valid: %w", object.GetName(), errs.ToAggregate())
		}
		olds, news = append(olds, &object), append(news, changed)
	}
	if len(news) == 0 {
		return nil, errors.New("no objects")
	}
	measure := func(op string, do func(int)) timing {
		// The fastest of three: other programs only make it slower.
		var result testing.BenchmarkResult
		for round := range 3 {
			next := testing.Benchmark(func(b *testing.B) {
				b.ReportAllocs()
				for i := range b.N {
					do(i % len(news))
				}
			})
			if round == 0 || next.NsPerOp() < result.NsPerOp() {
				result = next
			}
		}
		return timing{
			Objects: len(news), Op: op,
			Ns: result.NsPerOp(), Allocs: result.AllocsPerOp(), Bytes: result.AllocedBytesPerOp(),
		}
	}
	return []timing{
		measure("copy", func(i int) { _ = runtime.DeepCopyJSON(raw[i]) }),
		measure("copy and decode", func(i int) { _ = r.decode(runtime.DeepCopyJSON(raw[i]), false) }),
		measure("create", func(i int) { r.main.Validate(ctx, news[i]) }),
		measure("update", func(i int) { r.main.ValidateUpdate(ctx, news[i], olds[i]) }),
	}, nil
}

// withoutRules takes all CEL rules out of a CRD.
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
