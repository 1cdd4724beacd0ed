package main

import (
	"fmt"
	"reflect"

	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"

	"union-reference/crds"
)

// codecs has the serializers and decoders of CRDs.
var codecs = serializer.NewCodecFactory(crds.Scheme())

// A resourceSerializer decodes custom resources. The server's own serializer is not exported, so
// this type composes exported parts:
//
//   - json.Serializer of apimachinery reads JSON and YAML, and reports repeated keys if it is strict
//   - objectmeta.GetObjectMetaWithOptions reports the unknown fields of the metadata
//   - pruning.PruneWithOptions reports the fields that the schema does not have
//   - objectmeta.CoerceWithOptions reports the unknown metadata of embedded resources
//   - versioning.NewCodec calls these functions, and sets defaults
//
// tests/cluster checks that a real server has the same results.
type resourceSerializer struct{ resource *resource }

var mediaTypes = []runtime.SerializerInfo{
	mediaType("json", json.SerializerOptions{}),
	mediaType("yaml", json.SerializerOptions{Yaml: true}),
}

func mediaType(subtype string, options json.SerializerOptions) runtime.SerializerInfo {
	creator, typer := unstructuredscheme.NewUnstructuredCreator(), crdserverscheme.NewUnstructuredObjectTyper()
	strict := options
	strict.Strict = true
	return runtime.SerializerInfo{
		MediaType:        "application/" + subtype,
		MediaTypeType:    "application",
		MediaTypeSubType: subtype,
		EncodesAsText:    true,
		Serializer:       json.NewSerializerWithOptions(json.DefaultMetaFactory, creator, typer, options),
		StrictSerializer: json.NewSerializerWithOptions(json.DefaultMetaFactory, creator, typer, strict),
	}
}

func (s resourceSerializer) SupportedMediaTypes() []runtime.SerializerInfo { return mediaTypes }

func (s resourceSerializer) EncoderForVersion(encoder runtime.Encoder, version runtime.GroupVersioner) runtime.Encoder {
	return codecs.EncoderForVersion(encoder, version)
}

func (s resourceSerializer) DecoderToVersion(decoder runtime.Decoder, version runtime.GroupVersioner) runtime.Decoder {
	reader, is := decoder.(*json.Serializer)
	coercing := coercingDecoder{decoder, s.resource, is && reader.IsStrict()}
	scheme := crds.Scheme()
	return versioning.NewCodec(
		nil, coercing, runtime.UnsafeObjectConvertor(scheme), scheme, scheme, s, nil, version, "union-reference")
}

// Default sets the defaults of the schema.
func (s resourceSerializer) Default(object runtime.Object) {
	if custom, is := object.(*unstructured.Unstructured); is {
		s.resource.setDefaults(custom.Object)
	}
}

// A coercingDecoder decodes custom resources without their defaults.
type coercingDecoder struct {
	reader   runtime.Decoder
	resource *resource
	strict   bool
}

func (d coercingDecoder) Decode(
	body []byte, defaults *schema.GroupVersionKind, into runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	object, kind, err := d.reader.Decode(body, defaults, into)
	var problems []error
	if strict, is := runtime.AsStrictDecodingError(err); is && object != nil {
		problems = strict.Errors()
	} else if err != nil {
		return nil, kind, err
	}
	custom, is := object.(*unstructured.Unstructured)
	if !is {
		return nil, kind, fmt.Errorf("a custom resource is a %v", reflect.TypeOf(object))
	}
	unknown, err := d.resource.coerce(custom.Object, false, d.strict)
	if err != nil {
		return nil, kind, err
	}
	for _, path := range unknown {
		problems = append(problems, unknownField(path))
	}
	if len(problems) == 0 {
		return object, kind, nil
	}
	return object, kind, runtime.NewStrictDecodingError(problems)
}
