package main

import (
	"encoding/json"
	"errors"
	"fmt"

	openapi "github.com/google/gnostic-models/openapiv2"
	"go.yaml.in/yaml/v2"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/util/proto"
	"sigs.k8s.io/structured-merge-diff/v4/schema"
	"sigs.k8s.io/structured-merge-diff/v4/typed"
)

// root is the name of the type in the schema of a line.
const root = "root"

type schemas map[string]typed.ParseableType

type schemaQuestion struct {
	Name   string          `json:"name"`
	Deduce bool            `json:"deduce"`
	Schema json.RawMessage `json:"schema"`
}

// A refusal is the error of a rejected schema, or is empty.
type refusal struct {
	Error string `json:"error,omitempty"`
}

func (s schemas) add(q *schemaQuestion) (*refusal, error) {
	parser, err := parse(q.Schema)
	var rejected *refusedSchema
	if errors.As(err, &rejected) {
		return &refusal{Error: rejected.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	if q.Deduce {
		for i := range parser.Schema.Types {
			deduce(&parser.Schema.Types[i].Atom)
		}
	}
	s[q.Name] = parser.Type(root)
	return &refusal{}, nil
}

func (s schemas) find(name string) (typed.ParseableType, error) {
	found, ok := s[name]
	if !ok {
		return found, fmt.Errorf("there is no schema %q", name)
	}
	return found, nil
}

// A refusedSchema is the error about a schema that kube-openapi cannot convert.
type refusedSchema struct{ error }

// parse converts the schema as API servers convert their own OpenAPI document. The current
// conversion returns a schema of structured-merge-diff v6, which contains the unions but ignores
// them. The YAML of this schema is also a schema of v4, which uses the unions.
func parse(text json.RawMessage) (*typed.Parser, error) {
	document, err := json.Marshal(map[string]any{
		"swagger":     "2.0",
		"info":        map[string]any{"title": "unions", "version": "v1"},
		"paths":       map[string]any{},
		"definitions": map[string]any{root: text},
	})
	if err != nil {
		return nil, err
	}
	parsed, err := openapi.ParseDocument(document)
	if err != nil {
		return nil, err
	}
	models, err := proto.NewOpenAPIData(parsed)
	if err != nil {
		return nil, err
	}
	converted, err := schemaconv.ToSchema(models)
	if err != nil {
		return nil, &refusedSchema{err}
	}
	portable, err := yaml.Marshal(converted)
	if err != nil {
		return nil, err
	}
	return typed.NewParser(typed.YAMLObject(portable))
}

// deduce sets DeduceInvalidDiscriminator for every union in the type.
func deduce(atom *schema.Atom) {
	if atom.Map != nil {
		for i := range atom.Map.Unions {
			atom.Map.Unions[i].DeduceInvalidDiscriminator = true
		}
		for i := range atom.Map.Fields {
			deduce(&atom.Map.Fields[i].Type.Inlined)
		}
		deduce(&atom.Map.ElementType.Inlined)
	}
	if atom.List != nil {
		deduce(&atom.List.ElementType.Inlined)
	}
}
