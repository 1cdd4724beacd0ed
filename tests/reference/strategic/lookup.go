package main

import (
	"encoding/json"
	"errors"
	"fmt"

	openapi_v2 "github.com/google/gnostic-models/openapiv2"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kube-openapi/pkg/util/proto"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// root is the name of the schema of a document.
const root = "Root"

type use struct {
	V2   json.RawMessage `json:"v2"`
	V3   json.RawMessage `json:"v3"`
	Type string          `json:"type"`
}

func (u *use) lookup() (strategicpatch.LookupPatchMeta, error) {
	switch {
	case u.V2 != nil:
		return lookupV2(u.V2)
	case u.V3 != nil:
		return lookupV3(u.V3)
	}
	object, ok := types[u.Type]
	if !ok {
		return nil, fmt.Errorf("there is no type %q", u.Type)
	}
	return strategicpatch.NewPatchMetaFromStruct(object)
}

func lookupV2(text []byte) (strategicpatch.LookupPatchMeta, error) {
	document, err := openapi_v2.ParseDocument(text)
	if err != nil {
		return nil, err
	}
	models, err := proto.NewOpenAPIData(document)
	if err != nil {
		return nil, err
	}
	model := models.LookupModel(root)
	if model == nil {
		return nil, errors.New("the document has no Root")
	}
	return strategicpatch.NewPatchMetaFromOpenAPI(model), nil
}

func lookupV3(text []byte) (strategicpatch.LookupPatchMeta, error) {
	var document struct {
		Components struct {
			Schemas map[string]*spec.Schema `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	schemas := document.Components.Schemas
	if schemas[root] == nil {
		return nil, errors.New("the document has no Root")
	}
	return strategicpatch.PatchMetaFromOpenAPIV3{SchemaList: schemas, Schema: schemas[root]}, nil
}
