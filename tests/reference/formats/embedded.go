//go:build !metadata_without_context

package main

import (
	"context"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validateEmbedded validates the metadata of the resources in an object.
func validateEmbedded(object any, schema *structuralschema.Structural) field.ErrorList {
	return objectmeta.Validate(context.Background(), nil, object, schema, false)
}
