package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A finding is the result of the server's code for a line.
type finding struct {
	object any
	errors []string
	error  string
}

func (group *tally) metadata(q *question, out io.Writer) error {
	found, err := ask(q)
	if err != nil {
		return err
	}
	// If several fields cannot be decoded, the server reports a random one, so a different error is
	// repeated up to 50 times.
	for i := 0; i < 50 && found.error != q.Error && found.error != "" && q.Error != ""; i++ {
		if found, err = ask(q); err != nil {
			return err
		}
	}
	native := finding{object: q.Object, errors: q.Errors, error: q.Error}
	slices.Sort(native.errors)
	slices.Sort(found.errors)
	same := native.error == found.error && slices.Equal(native.errors, found.errors)
	if found.error == "" {
		same = same && reflect.DeepEqual(native.object, found.object)
	}
	rejected := found.error != "" || len(found.errors) > 0
	if rejected {
		group.rejected++
	}
	if same {
		group.agree++
		return nil
	}
	group.differ++
	if group.differ <= 10 {
		fmt.Fprintf(out, "DIFFERENT %s: %.300s, was %.300s\n  reference: %.600s\n  native:    %.600s\n",
			q.Group, text(q.New), text(q.Old), found.without(native), native.without(found))
	}
	return nil
}

// without returns a description of the parts that the other finding does not have.
func (f finding) without(other finding) string {
	if f.error != other.error {
		return fmt.Sprintf("cannot be read: %q", f.error)
	}
	if f.error == "" && !reflect.DeepEqual(f.object, other.object) {
		return "read as " + text(f.object)
	}
	errors := slices.DeleteFunc(slices.Clone(f.errors), func(text string) bool { return slices.Contains(other.errors, text) })
	return fmt.Sprintf("%d errors, %q", len(f.errors), errors)
}

func text(value any) string {
	bytes, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(bytes)
}

func ask(q *question) (finding, error) {
	switch q.Ask {
	case "coerce", "coerce stored":
		return coerce(q.New, q.Ask == "coerce stored")
	case "create", "create namespaced":
		return created(q.New, q.Ask == "create namespaced"), nil
	case "update":
		errs := validation.ValidateObjectMetaAccessorUpdate(object(q.New), object(q.Old), field.NewPath("metadata"))
		return finding{errors: texts(errs)}, nil
	case "embedded":
		return embedded(q)
	default:
		return finding{}, fmt.Errorf("%s: nobody knows what %q asks", q.Group, q.Ask)
	}
}

// coerce decodes metadata, as the metadata of an embedded resource.
func coerce(metadata any, stored bool) (finding, error) {
	schema := &structuralschema.Structural{}
	schema.XEmbeddedResource = true
	resource := map[string]any{"metadata": runtime.DeepCopyJSONValue(metadata)}
	if err := objectmeta.Coerce(nil, resource, schema, false, stored); err != nil {
		return finding{error: err.Detail}, nil
	}
	return finding{object: plain(resource["metadata"])}, nil
}

// plain removes creation times that are null, which only the server's code adds.
func plain(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			value[key] = plain(inner)
		}
	case []any:
		for i, inner := range value {
			value[i] = plain(inner)
		}
	}
	return value
}

func object(metadata any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"metadata": metadata}}
}

// created validates the metadata of a create. If the name is missing and generateName is set, it
// first sets a name, as the server does.
func created(metadata any, namespaced bool) finding {
	object := object(runtime.DeepCopyJSONValue(metadata))
	made := object.GetName() == "" && object.GetGenerateName() != ""
	if made {
		object.SetName("made")
	}
	path := field.NewPath("metadata")
	return finding{errors: texts(validation.ValidateObjectMetaAccessor(object, namespaced, validation.NameIsDNSSubdomain, path))}
}

func embedded(q *question) (finding, error) {
	schema, err := compile(q.Schema)
	if err != nil {
		return finding{}, err
	}
	object := runtime.DeepCopyJSONValue(q.New)
	if err := objectmeta.Coerce(nil, object, schema, false, false); err != nil {
		return finding{error: err.Error()}, nil
	}
	return finding{object: plain(object), errors: texts(validateEmbedded(object, schema))}, nil
}

var schemas = map[string]*structuralschema.Structural{}

func compile(written map[string]any) (*structuralschema.Structural, error) {
	key := text(written)
	if schema, ok := schemas[key]; ok {
		return schema, nil
	}
	var v1 apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal([]byte(key), &v1); err != nil {
		return nil, err
	}
	var props apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &props, nil); err != nil {
		return nil, err
	}
	schema, err := structuralschema.NewStructural(&props)
	schemas[key] = schema
	return schema, err
}

func texts(errs field.ErrorList) []string {
	found := []string{}
	for _, err := range errs {
		found = append(found, err.Error())
	}
	return found
}
