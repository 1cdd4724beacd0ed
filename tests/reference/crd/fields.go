package main

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// A member is a field of a struct: its JSON name and its type.
type member struct {
	Name string `json:"name"`
	fieldType
}

// A fieldType is the type of a field: "string", "boolean", "integer", "number", "bytes", "list",
// "map", "struct", or "own" for a type with its own UnmarshalJSON. Of is the type of the elements.
// Go is the name of the struct or of the own type.
type fieldType struct {
	Type string     `json:"type"`
	Of   *fieldType `json:"of,omitempty"`
	Go   string     `json:"go,omitempty"`
}

// printFields prints the fields of all structs that a CRD is decoded into, by the struct's name.
func printFields(out io.Writer) error {
	found := map[string][]member{}
	structOf(reflect.TypeFor[apiextensionsv1.CustomResourceDefinition](), found)
	return json.NewEncoder(out).Encode(found)
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

func typeOf(of reflect.Type, found map[string][]member) fieldType {
	if of.Kind() == reflect.Pointer {
		return typeOf(of.Elem(), found)
	}
	if reflect.PointerTo(of).Implements(unmarshaler) {
		return fieldType{Type: "own", Go: of.Name()}
	}
	switch of.Kind() {
	case reflect.Struct:
		structOf(of, found)
		return fieldType{Type: "struct", Go: of.Name()}
	case reflect.Map, reflect.Slice:
		element := typeOf(of.Elem(), found)
		if of.Kind() == reflect.Map {
			return fieldType{Type: "map", Of: &element}
		}
		if of.Elem().Kind() == reflect.Uint8 {
			return fieldType{Type: "bytes"}
		}
		return fieldType{Type: "list", Of: &element}
	case reflect.String:
		return fieldType{Type: "string"}
	case reflect.Bool:
		return fieldType{Type: "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return fieldType{Type: "integer"}
	case reflect.Float64:
		return fieldType{Type: "number"}
	default:
		return fieldType{Type: of.String()}
	}
}

func structOf(of reflect.Type, found map[string][]member) {
	if _, done := found[of.Name()]; done {
		return
	}
	// The struct may have itself as a field.
	found[of.Name()] = []member{}
	found[of.Name()] = membersOf(of, found)
}

func membersOf(of reflect.Type, found map[string][]member) []member {
	members := []member{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "" && options == "inline":
			members = append(members, membersOf(field.Type, found)...)
		case name != "" && name != "-":
			members = append(members, member{name, typeOf(field.Type, found)})
		}
	}
	return members
}
