// The reference for whole CRDs: the code of the real API server (k8s.io/apiextensions-apiserver)
// prepares and validates a CustomResourceDefinition that is created, or that replaces a stored one.
//
// It reads JSON lines from stdin, and writes a result for each line:
//
//	{"op": "crd", "crd": <CustomResourceDefinition>, "old": <the stored one, for an update>}
//	    ->  {"errors": [{"type", "field", "text"}], "warnings": [...]}
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"union-reference/crds"
	"union-reference/lines"
)

// A question is one line of input.
type question struct {
	Op  string          `json:"op"`
	CRD json.RawMessage `json:"crd"`
	Old json.RawMessage `json:"old"`
}

type answer struct {
	Errors   []failure `json:"errors"`
	Warnings []string  `json:"warnings"`
}

type failure struct {
	Type  string `json:"type"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

func main() {
	// A CRD has no namespace, but the server's code for creates requires one in the context.
	ctx := genericapirequest.WithNamespace(genericapirequest.NewContext(), "")
	err := lines.Answer(os.Stdin, os.Stdout, func(q *question) (*answer, error) { return judge(ctx, q), nil })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// judge returns the server's result. The server's code panics on a few CRDs.
func judge(ctx context.Context, q *question) (found *answer) {
	defer func() {
		if broken := recover(); broken != nil {
			found = only("Panic", "", fmt.Sprint(broken))
		}
	}()
	crd, err := crds.Decode(q.CRD)
	if err != nil {
		return only("BadRequest", "", err.Error())
	}
	// The server reports unknown fields while it decodes the CRD, and this program in a second
	// decoding.
	unknown, err := crds.Unknown(q.CRD)
	if err != nil {
		return only("BadRequest", "", err.Error())
	}
	if q.Old == nil {
		found = create(ctx, crd)
	} else {
		old, err := crds.Decode(q.Old)
		if err != nil {
			return only("BadRequest", "", "old: "+err.Error())
		}
		found = update(ctx, crd, old)
	}
	found.Warnings = append(unknown, found.Warnings...)
	return found
}

func create(ctx context.Context, crd *apiextensions.CustomResourceDefinition) *answer {
	strategy := customresourcedefinition.NewStrategy(crds.Scheme())
	rest.FillObjectMetaSystemFields(crd)
	found := &answer{Errors: failures(rest.BeforeCreate(strategy, ctx, crd)), Warnings: []string{}}
	if len(found.Errors) == 0 {
		found.Warnings = append(found.Warnings, strategy.WarningsOnCreate(ctx, crd)...)
	}
	return found
}

func update(ctx context.Context, crd, old *apiextensions.CustomResourceDefinition) *answer {
	strategy := customresourcedefinition.NewStrategy(crds.Scheme())
	found := &answer{Errors: failures(rest.BeforeUpdate(strategy, ctx, crd, old)), Warnings: []string{}}
	if len(found.Errors) == 0 {
		found.Warnings = append(found.Warnings, strategy.WarningsOnUpdate(ctx, crd, old)...)
	}
	return found
}

// failures returns the causes of an error without repetitions, or the error itself if it has no
// causes.
func failures(err error) []failure {
	found := []failure{}
	if err == nil {
		return found
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return []failure{{Type: "Internal", Text: err.Error()}}
	}
	answered := status.Status()
	if answered.Details == nil || len(answered.Details.Causes) == 0 {
		return []failure{{Type: string(answered.Reason), Text: answered.Message}}
	}
	for _, cause := range answered.Details.Causes {
		found = append(found, failure{string(cause.Type), cause.Field, cause.Field + ": " + cause.Message})
	}
	return found
}

func only(kind, field, text string) *answer {
	return &answer{Errors: []failure{{kind, field, text}}, Warnings: []string{}}
}
