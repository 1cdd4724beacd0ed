package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/handlers"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/warning"

	"union-reference/crds"
)

// A body is the body of a request, and the options of its decoding.
type body struct {
	Text string `json:"text"`
	// Type is the content type.
	Type string `json:"type"`
	// Validation is the value of the parameter fieldValidation, or empty if there is none.
	Validation string `json:"field_validation"`
}

// receive returns the server's result of a request with a body.
func (r *resource) receive(ctx context.Context, q *question) (*answer, error) {
	scope := scope{
		RequestScope: handlers.RequestScope{
			Serializer:       resourceSerializer{r},
			Typer:            crdserverscheme.NewUnstructuredObjectTyper(),
			Kind:             r.kind,
			HubGroupVersion:  r.kind.GroupVersion(),
			MetaGroupVersion: metav1.SchemeGroupVersion,
		},
		original: func() runtime.Object {
			original := &unstructured.Unstructured{}
			original.SetGroupVersionKind(r.kind)
			return original
		},
	}
	info := genericapirequest.RequestInfo{Namespace: namespace, Name: "mycrdinstance"}
	decoded, early, err := scope.decode(ctx, &info, q.Op, q.Body)
	if decoded == nil || err != nil {
		return early, err
	}
	new := decoded.(*unstructured.Unstructured)
	var found *answer
	if q.Op == "create" {
		found = r.created(ctx, new)
	} else {
		by := rest.RESTUpdateStrategy(r.main)
		if q.Op == "status" {
			by = r.status
		}
		if err := r.decodeStored(q.Old); err != nil {
			return nil, err
		}
		found = r.updated(ctx, by, new, q.Old)
	}
	found.Warnings = append(early.Warnings, found.Warnings...)
	return found, nil
}

// receiveCRD returns the server's result of a request that creates the CRD in a body.
func receiveCRD(ctx context.Context, q *question) (*answer, error) {
	scope := scope{
		RequestScope: handlers.RequestScope{
			Serializer:       codecs,
			Typer:            crds.Scheme(),
			Kind:             apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition"),
			HubGroupVersion:  apiextensions.SchemeGroupVersion,
			MetaGroupVersion: metav1.SchemeGroupVersion,
		},
		original: func() runtime.Object { return &apiextensions.CustomResourceDefinition{} },
	}
	decoded, early, err := scope.decode(ctx, &genericapirequest.RequestInfo{}, "create", q.Body)
	if decoded == nil || err != nil {
		return early, err
	}
	crd := decoded.(*apiextensions.CustomResourceDefinition)
	customresourcedefinition.NewStrategy(crds.Scheme()).PrepareForCreate(ctx, crd)
	found := lint(ctx, crd)
	found.Warnings = append(early.Warnings, found.Warnings...)
	return found, nil
}

// namespace is the namespace of all requests for custom resources.
const namespace = "default"

// A scope is an endpoint of the server for one kind. original returns the stored object of an
// update.
type scope struct {
	handlers.RequestScope
	original func() runtime.Object
}

// errDecoded ends a request after its body has been decoded and accepted.
var errDecoded = errors.New("decoded")

// decode sends a request to the server's handler of creates or updates. It returns the decoded
// object if the handler accepts it, and the handler's errors and warnings.
func (s *scope) decode(
	ctx context.Context, info *genericapirequest.RequestInfo, op string, sent *body,
) (runtime.Object, *answer, error) {
	s.Namer = handlers.ContextBasedNaming{Namer: meta.NewAccessor(), ClusterScoped: info.Namespace == ""}
	s.MaxRequestBodyBytes = 3 << 20
	kept := &keeper{NegotiatedSerializer: s.Serializer}
	s.Serializer = kept
	ending := &storage{original: s.original}
	s.Creater = creater{ending}
	handler, method := handlers.CreateResource(ending, &s.RequestScope, nil), http.MethodPost
	if op != "create" {
		handler, method = handlers.UpdateResource(ending, &s.RequestScope, nil), http.MethodPut
	}

	found := &warnings{texts: []string{}}
	ctx = warning.WithWarningRecorder(genericapirequest.WithRequestInfo(ctx, info), found)
	address := url.URL{Path: "/"}
	if sent.Validation != "" {
		address.RawQuery = url.Values{"fieldValidation": {sent.Validation}}.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, address.String(), bytes.NewBufferString(sent.Text))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Content-Type", sent.Type)
	response := httptest.NewRecorder()
	handler(response, request)
	if ending.reached {
		return kept.decoded, &answer{Warnings: found.texts}, nil
	}
	var status metav1.Status
	if err := json.Unmarshal(response.Body.Bytes(), &status); err != nil {
		return nil, nil, fmt.Errorf("the response %q: %w", response.Body, err)
	}
	failed := failure{Type: string(status.Reason), Text: status.Message}
	return nil, &answer{Errors: []failure{failed}, Warnings: found.texts}, nil
}

// A keeper creates decoders, and keeps the object that they decoded last.
type keeper struct {
	runtime.NegotiatedSerializer
	decoded runtime.Object
}

func (k *keeper) DecoderToVersion(decoder runtime.Decoder, version runtime.GroupVersioner) runtime.Decoder {
	return &keepingDecoder{k.NegotiatedSerializer.DecoderToVersion(decoder, version), k}
}

type keepingDecoder struct {
	runtime.Decoder
	keeper *keeper
}

func (d *keepingDecoder) Decode(
	body []byte, defaults *schema.GroupVersionKind, into runtime.Object,
) (runtime.Object, *schema.GroupVersionKind, error) {
	object, kind, err := d.Decoder.Decode(body, defaults, into)
	if object != nil {
		// The handler changes the metadata of the object, so a copy is kept.
		d.keeper.decoded = object.DeepCopyObject()
	}
	return object, kind, err
}

// A storage ends each request that reaches it by errDecoded.
type storage struct {
	original func() runtime.Object
	reached  bool
}

func (s *storage) New() runtime.Object { return s.original() }

func (s *storage) Destroy() {}

func (s *storage) Create(
	context.Context, runtime.Object, rest.ValidateObjectFunc, *metav1.CreateOptions,
) (runtime.Object, error) {
	return nil, s.end()
}

func (s *storage) Update(
	context.Context, string, rest.UpdatedObjectInfo, rest.ValidateObjectFunc, rest.ValidateObjectUpdateFunc, bool,
	*metav1.UpdateOptions,
) (runtime.Object, bool, error) {
	return nil, false, s.end()
}

func (s *storage) end() error {
	s.reached = true
	return errDecoded
}

// A creater ends a create after decoding, because the handler would next need a field manager,
// which this program does not have.
type creater struct{ *storage }

func (c creater) New(schema.GroupVersionKind) (runtime.Object, error) { return nil, c.end() }
