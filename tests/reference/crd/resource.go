package main

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"

	"union-reference/crds"
)

// A resource is one version of a CRD, as the server serves it.
type resource struct {
	kind       schema.GroupVersionKind
	structural *structuralschema.Structural
	// preserves is true if unknown fields and nulls are kept.
	preserves bool
	main      strategy
	status    rest.RESTUpdateStrategy
}

// A strategy is the server's strategy for the main resource.
type strategy interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}

// A serving has the parts of a CRD beside the schema.
type serving struct {
	kind         schema.GroupVersionKind
	namespaced   bool
	preserves    bool
	subresources *apiextensions.CustomResourceSubresources
}

func newResource(props *apiextensions.JSONSchemaProps, as serving) (*resource, error) {
	structural, err := crds.Structural(props, as.preserves)
	if err != nil {
		return nil, err
	}
	whole, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	if as.subresources != nil {
		status, scale = as.subresources.Status, as.subresources.Scale
	}
	// If there is no status, the interface must be nil.
	var statusOnly validation.SchemaValidator
	if statusProps, ok := props.Properties["status"]; ok {
		if statusOnly, _, err = validation.NewSchemaValidator(&statusProps); err != nil {
			return nil, err
		}
	}
	main := customresource.NewStrategy(
		crdserverscheme.NewUnstructuredObjectTyper(), as.namespaced, as.kind, whole, statusOnly, structural, status, scale, nil)
	return &resource{as.kind, structural, as.preserves, main, customresource.NewStatusStrategy(main)}, nil
}

// A failure is one error, as the server reports it to a client.
type failure struct {
	Type  string `json:"type"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

func failures(errs field.ErrorList) []failure {
	found := []failure{}
	for _, err := range errs {
		found = append(found, failure{string(err.Type), err.Field, err.Error()})
	}
	return found
}

// badRequest returns the error of an object that the server cannot read, and so does not validate.
func badRequest(err error) []failure {
	found := failure{Type: "BadRequest", Text: err.Error()}
	var inField *field.Error
	if errors.As(err, &inField) {
		found.Field = inField.Field
	}
	return []failure{found}
}

// warnings collects the server's warnings, which are sent with accepted and with rejected requests.
type warnings struct{ texts []string }

func (w *warnings) AddWarning(_, text string) { w.texts = append(w.texts, text) }

func (r *resource) create(ctx context.Context, object map[string]any) (*answer, error) {
	if err := r.decode(object, false); err != nil {
		return &answer{Errors: badRequest(err), Warnings: []string{}}, nil
	}
	new := &unstructured.Unstructured{Object: object}
	found := &warnings{texts: []string{}}
	ctx = warning.WithWarningRecorder(ctx, found)
	r.main.PrepareForCreate(ctx, new)
	errs := r.main.Validate(ctx, new)
	if len(errs) == 0 {
		found.texts = append(found.texts, r.main.WarningsOnCreate(ctx, new)...)
	}
	return &answer{Object: new.Object, Errors: failures(errs), Warnings: found.texts}, nil
}

func (r *resource) update(ctx context.Context, by rest.RESTUpdateStrategy, object, stored map[string]any) (*answer, error) {
	if err := r.decode(stored, true); err != nil {
		return nil, fmt.Errorf("the old object cannot have been stored: %w", err)
	}
	if err := r.decode(object, false); err != nil {
		return &answer{Errors: badRequest(err), Warnings: []string{}}, nil
	}
	new, old := &unstructured.Unstructured{Object: object}, &unstructured.Unstructured{Object: stored}
	found := &warnings{texts: []string{}}
	ctx = warning.WithWarningRecorder(ctx, found)
	// The server ignores the client's value of the generation.
	new.SetGeneration(old.GetGeneration())
	by.PrepareForUpdate(ctx, new, old)
	errs := by.ValidateUpdate(ctx, new, old)
	if len(errs) == 0 {
		found.texts = append(found.texts, by.WarningsOnUpdate(ctx, new, old)...)
	}
	return &answer{Object: new.Object, Errors: failures(errs), Warnings: found.texts}, nil
}

// decode processes an object like the body of a request, or like an object from the server's
// storage.
func (r *resource) decode(object map[string]any, stored bool) error {
	kind, hasKind, err := unstructured.NestedString(object, "kind")
	if err != nil {
		return err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(object, "apiVersion")
	if err != nil {
		return err
	}
	metadata, hasMetadata, _, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{DropMalformedFields: stored})
	if err != nil {
		return err
	}
	group, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return err
	}
	ours := group == r.kind.GroupVersion() && kind == r.kind.Kind
	if ours {
		if !r.preserves {
			pruning.Prune(object, r.structural, true)
			defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
		}
		if err, _ := objectmeta.CoerceWithOptions(nil, object, r.structural, false, objectmeta.CoerceOptions{DropInvalidFields: stored}); err != nil {
			return err
		}
		// The server sets the generation of objects that very old servers stored.
		if stored && metadata != nil && metadata.Generation == 0 {
			metadata.Generation = 1
		}
	}
	if hasKind {
		object["kind"] = kind
	}
	if hasVersion {
		object["apiVersion"] = apiVersion
	}
	if hasMetadata {
		if err := objectmeta.SetObjectMeta(object, metadata); err != nil {
			return err
		}
	}
	if ours {
		defaulting.Default(object, r.structural)
	}
	return nil
}
