package main

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// types are the Go types of the API whose objects are patched.
var types = map[string]any{
	"Deployment":          apps.Deployment{},
	"Pod":                 core.Pod{},
	"Service":             core.Service{},
	"PodDisruptionBudget": policy.PodDisruptionBudget{},
	"Node":                core.Node{},
}

// texts are the structs that are strings in JSON.
var texts = map[reflect.Type]bool{
	reflect.TypeFor[resource.Quantity]():  true,
	reflect.TypeFor[meta.Time]():          true,
	reflect.TypeFor[meta.MicroTime]():     true,
	reflect.TypeFor[intstr.IntOrString](): true,
}

func printSchemas(out io.Writer) error {
	found := described{}
	for name, object := range types {
		found[name] = found.object(reflect.TypeOf(object))
	}
	encoder := json.NewEncoder(out)
	return encoder.Encode(map[string]any{
		"openapi":    "3.0.0",
		"components": map[string]any{"schemas": found},
	})
}

// described contains the schemas of structs by the names of the structs.
type described map[string]map[string]any

func (d described) of(t reflect.Type) map[string]any {
	if texts[t] {
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.of(t.Elem())
	case reflect.Struct:
		name := strings.ReplaceAll(t.PkgPath(), "/", ".") + "." + t.Name()
		if _, known := d[name]; !known {
			// The entry is added before the schema is complete, because a type may contain itself.
			d[name] = nil
			d[name] = d.object(t)
		}
		return map[string]any{"$ref": "#/components/schemas/" + name}
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return map[string]any{"type": "string"}
		}
		return map[string]any{"type": "array", "items": d.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": d.of(t.Elem())}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	default:
		return map[string]any{"type": "integer"}
	}
}

func (d described) object(t reflect.Type) map[string]any {
	properties := map[string]any{}
	d.addFields(t, properties)
	return map[string]any{"type": "object", "properties": properties}
}

func (d described) addFields(t reflect.Type, properties map[string]any) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "" && field.Anonymous:
			d.addFields(field.Type, properties)
		case name == "" || name == "-":
		default:
			property := d.of(field.Type)
			if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
				property["x-kubernetes-patch-strategy"] = strategy
			}
			if key := field.Tag.Get("patchMergeKey"); key != "" {
				property["x-kubernetes-patch-merge-key"] = key
			}
			properties[name] = property
		}
	}
}
