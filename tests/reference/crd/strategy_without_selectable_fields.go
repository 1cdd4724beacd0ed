//go:build strategy_without_selectable_fields

package main

import (
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apiserver/pkg/registry/rest"
)

// newStrategies returns the server's strategies for the main resource and for its status.
func newStrategies(
	as serving, whole, statusOnly validation.SchemaValidator, structural *structuralschema.Structural,
	status *apiextensions.CustomResourceSubresourceStatus, scale *apiextensions.CustomResourceSubresourceScale,
) (strategy, rest.RESTUpdateStrategy) {
	main := customresource.NewStrategy(
		crdserverscheme.NewUnstructuredObjectTyper(), as.namespaced, as.kind, whole, statusOnly, structural, status, scale)
	return main, customresource.NewStatusStrategy(main)
}
