package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
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

// A serving contains the parts of a CRD version that a resource needs besides the schema.
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
	// A nil interface means that there is no status.
	var statusOnly validation.SchemaValidator
	if statusProps, ok := props.Properties["status"]; ok {
		if statusOnly, _, err = validation.NewSchemaValidator(&statusProps); err != nil {
			return nil, err
		}
	}
	main, forStatus := newStrategies(as, whole, statusOnly, structural, status, scale)
	return &resource{as.kind, structural, as.preserves, main, forStatus}, nil
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

// badRequest returns the error of an object that the server cannot decode. The server does not
// validate such an object.
func badRequest(err error) []failure {
	found := failure{Type: "BadRequest", Text: err.Error()}
	var inField *field.Error
	if errors.As(err, &inField) {
		found.Field = inField.Field
	}
	return []failure{found}
}

// warnings collects the server's warnings. A server sends warnings with accepted and with rejected
// requests.
type warnings struct{ texts []string }

func (w *warnings) AddWarning(_, text string) { w.texts = append(w.texts, text) }

func (r *resource) create(ctx context.Context, object map[string]any, warned bool) (*answer, error) {
	unknown, err := r.decodeNew(object, warned)
	if err != nil {
		return &answer{Errors: badRequest(err), Warnings: []string{}}, nil
	}
	return r.created(ctx, &unstructured.Unstructured{Object: object}).after(unknown), nil
}

// created returns the server's result of a create of a decoded object.
func (r *resource) created(ctx context.Context, new *unstructured.Unstructured) *answer {
	found := &warnings{texts: []string{}}
	ctx = warning.WithWarningRecorder(ctx, found)
	r.main.PrepareForCreate(ctx, new)
	errs := r.main.Validate(ctx, new)
	if len(errs) == 0 {
		found.texts = append(found.texts, r.main.WarningsOnCreate(ctx, new)...)
	}
	return &answer{Object: new.Object, Errors: failures(errs), Warnings: found.texts}
}

func (r *resource) update(
	ctx context.Context, by rest.RESTUpdateStrategy, object, stored map[string]any, warned bool,
) (*answer, error) {
	if err := r.decodeStored(stored); err != nil {
		return nil, err
	}
	unknown, err := r.decodeNew(object, warned)
	if err != nil {
		return &answer{Errors: badRequest(err), Warnings: []string{}}, nil
	}
	return r.updated(ctx, by, &unstructured.Unstructured{Object: object}, stored).after(unknown), nil
}

// updated returns the server's result of an update to a decoded object.
func (r *resource) updated(
	ctx context.Context, by rest.RESTUpdateStrategy, new *unstructured.Unstructured, stored map[string]any,
) *answer {
	old := &unstructured.Unstructured{Object: stored}
	found := &warnings{texts: []string{}}
	ctx = warning.WithWarningRecorder(ctx, found)
	inNamespace := new.GetNamespace()
	if inNamespace == "" {
		inNamespace = old.GetNamespace()
	}
	// BeforeUpdate restores metadata that the new object lacks, which the result must not contain,
	// so it gets a copy.
	err := rest.BeforeUpdate(by, genericapirequest.WithNamespace(ctx, inNamespace), new.DeepCopy(), old)
	// The server ignores the client's value of the generation.
	new.SetGeneration(old.GetGeneration())
	by.PrepareForUpdate(ctx, new, old)
	return &answer{Object: new.Object, Errors: causes(err), Warnings: found.texts}
}

// causes returns the causes of an error, or the error itself if it has no causes. The server
// validates the metadata up to three times, so repeated errors about metadata are dropped.
func causes(err error) []failure {
	var status apierrors.APIStatus
	found := []failure{}
	if err == nil {
		return found
	}
	if !errors.As(err, &status) || status.Status().Details == nil {
		return badRequest(err)
	}
	for _, cause := range status.Status().Details.Causes {
		next := failure{string(cause.Type), cause.Field, cause.Field + ": " + cause.Message}
		if !strings.HasPrefix(next.Field, "metadata") || !slices.Contains(found, next) {
			found = append(found, next)
		}
	}
	return found
}

// after adds the warnings about unknown fields before the other warnings, and returns the answer.
func (a *answer) after(unknown []string) *answer {
	warnings := []string{}
	for _, path := range unknown {
		warnings = append(warnings, unknownField(path).Error())
	}
	a.Warnings = append(warnings, a.Warnings...)
	return a
}

// unknownField returns the server's error about an unknown field.
func unknownField(path string) error { return fmt.Errorf("unknown field \"%s\"", path) }

// decodeNew decodes an object as a server decodes the body of a request. If warned is true, it
// returns the paths of the unknown fields.
func (r *resource) decodeNew(object map[string]any, warned bool) ([]string, error) {
	unknown, err := r.coerce(object, false, warned)
	if err == nil {
		r.setDefaults(object)
	}
	return unknown, err
}

func (r *resource) decodeStored(object map[string]any) error {
	if err := r.decode(object, true); err != nil {
		return fmt.Errorf("the old object cannot have been stored: %w", err)
	}
	return nil
}

// decode decodes an object as a server decodes the body of a request, or, if stored is true, an
// object from storage.
func (r *resource) decode(object map[string]any, stored bool) error {
	if _, err := r.coerce(object, stored, false); err != nil {
		return err
	}
	r.setDefaults(object)
	return nil
}

// coerce prunes an object and checks its metadata. If warned is true, it returns the paths of the
// unknown fields.
func (r *resource) coerce(object map[string]any, stored, warned bool) ([]string, error) {
	kind, hasKind, err := unstructured.NestedString(object, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(object, "apiVersion")
	if err != nil {
		return nil, err
	}
	metadata, hasMetadata, unknown, err := objectmeta.GetObjectMetaWithOptions(
		object, objectmeta.ObjectMetaOptions{DropMalformedFields: stored, ReturnUnknownFieldPaths: warned})
	if err != nil {
		return nil, err
	}
	group, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	if r.is(group, kind) {
		if !r.preserves {
			pruned := pruning.PruneWithOptions(
				object, r.structural, true, structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: warned})
			unknown = append(unknown, pruned...)
			defaulting.PruneNonNullableNullsWithoutDefaults(object, r.structural)
		}
		err, embedded := objectmeta.CoerceWithOptions(nil, object, r.structural, false, objectmeta.CoerceOptions{
			DropInvalidFields: stored, ReturnUnknownFieldPaths: warned,
		})
		if err != nil {
			return nil, err
		}
		unknown = append(unknown, embedded...)
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
			return nil, err
		}
	}
	return unknown, nil
}

// is returns true if the schema of the resource describes objects of this kind.
func (r *resource) is(group schema.GroupVersion, kind string) bool {
	return group == r.kind.GroupVersion() && kind == r.kind.Kind
}

// setDefaults sets the defaults of an object that has been coerced.
func (r *resource) setDefaults(object map[string]any) {
	found := unstructured.Unstructured{Object: object}
	if kind := found.GroupVersionKind(); r.is(kind.GroupVersion(), kind.Kind) {
		defaulting.Default(object, r.structural)
	}
}
