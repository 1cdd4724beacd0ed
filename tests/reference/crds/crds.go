// Package crds reads CRDs and their schemas as the API server does.
package crds

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"
)

var scheme = newScheme()

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}

// Scheme returns a scheme with the versions of CRDs.
func Scheme() *runtime.Scheme { return scheme }

var decoder = serializer.NewCodecFactory(scheme).UniversalDecoder(apiextensions.SchemeGroupVersion)

// Decode returns a v1 CRD with the server's defaults, in the server's internal form.
func Decode(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	kind := apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	object, _, err := decoder.Decode(text, &kind, nil)
	if err != nil {
		return nil, err
	}
	crd, is := object.(*apiextensions.CustomResourceDefinition)
	if !is {
		return nil, fmt.Errorf("it is a %T", object)
	}
	return crd, nil
}

// Read returns a v1 CRD in the form that the server stores after a create.
func Read(text []byte) (*apiextensions.CustomResourceDefinition, error) {
	var v1 apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal(text, &v1); err != nil {
		return nil, err
	}
	scheme.Default(&v1)
	var crd apiextensions.CustomResourceDefinition
	if err := scheme.Convert(&v1, &crd, nil); err != nil {
		return nil, err
	}
	// The server's strategy sets the stored versions on create.
	for _, version := range crd.Spec.Versions {
		if version.Storage {
			crd.Status.StoredVersions = []string{version.Name}
		}
	}
	return &crd, nil
}

// Unknown returns the errors of strict field validation of a v1 CRD, about unknown fields and
// repeated keys.
func Unknown(text []byte) ([]string, error) {
	var v1 apiextensionsv1.CustomResourceDefinition
	errs, err := kjson.UnmarshalStrict(text, &v1)
	found := []string{}
	for _, err := range errs {
		found = append(found, err.Error())
	}
	return found, err
}

// Lint returns the server's errors about the creation of the CRD.
func Lint(ctx context.Context, crd *apiextensions.CustomResourceDefinition) field.ErrorList {
	return crdvalidation.ValidateCustomResourceDefinition(ctx, crd)
}

// ReadSchema returns an openAPIV3Schema in the server's internal form.
func ReadSchema(text []byte) (*apiextensions.JSONSchemaProps, error) {
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &v1); err != nil {
		return nil, err
	}
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &props, nil); err != nil {
		return nil, err
	}
	return &props, nil
}

// Structural returns the structural schema that the server uses, with pruned defaults. If preserves
// is true (the CRD preserves unknown fields), it does not prune the defaults, and returns nil if
// the schema is not structural.
func Structural(props *apiextensions.JSONSchemaProps, preserves bool) (*structuralschema.Structural, error) {
	structural, err := structuralschema.NewStructural(props)
	if preserves {
		return structural, nil
	}
	if err != nil {
		return nil, err
	}
	structural = structural.DeepCopy()
	return structural, defaulting.PruneDefaults(structural)
}
