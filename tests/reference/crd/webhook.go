package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	admission "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utiljson "sigs.k8s.io/json"

	"union-reference-timing"
	"union-reference/crds"
)

// requests is a line of input: reviews of objects of a CRD, and the paths of the webhooks that get
// each review.
type requests struct {
	timing.Row
	CRD     json.RawMessage `json:"crd"`
	Version string          `json:"version"`
	Paths   []string        `json:"paths"`
	Reviews []string        `json:"reviews"`
	// Allowed is the expected verdict of each review.
	Allowed bool `json:"allowed"`
}

// benchmarkWebhook times a webhook that uses the Go libraries of Kubernetes, from the bytes of the
// request to the bytes of the response. A call processes one review, and successive calls process
// the reviews of a line in turn.
func benchmarkWebhook(ctx context.Context, in io.Reader, out io.Writer, effort time.Duration) error {
	printer := timing.New(out, effort)
	for decoder := json.NewDecoder(in); ; {
		var asked requests
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := asked.time(ctx, printer); err != nil {
			return fmt.Errorf("%s: %w", asked.Name, err)
		}
	}
}

func (r *requests) time(ctx context.Context, printer *timing.Printer) error {
	crd, err := crds.Read(r.CRD)
	if err != nil {
		return err
	}
	resource, err := served(crd, r.Version)
	if err != nil {
		return err
	}
	var reviews [][]byte
	for _, text := range r.Reviews {
		reviews = append(reviews, []byte(text))
		for _, path := range r.Paths {
			answer, err := resource.review(ctx, path, []byte(text))
			if err != nil {
				return err
			}
			var read admission.AdmissionReview
			if err := json.Unmarshal(answer, &read); err != nil {
				return err
			}
			if read.Response.Allowed != r.Allowed {
				return fmt.Errorf("answered %s", answer)
			}
		}
	}
	i := 0
	return printer.Time(r.Row, func() {
		for _, path := range r.Paths {
			_, _ = resource.review(ctx, path, reviews[i])
		}
		i = (i + 1) % len(reviews)
	}, nil)
}

// review returns the response to the review in a body. Kubernetes has no code that normalizes
// unions, so a review for normalization is only decoded, and the response has no changes.
func (r *resource) review(ctx context.Context, path string, body []byte) ([]byte, error) {
	var review admission.AdmissionReview
	if err := utiljson.UnmarshalCaseSensitivePreserveInts(body, &review); err != nil {
		return nil, err
	}
	var new, old unstructured.Unstructured
	if err := new.UnmarshalJSON(review.Request.Object.Raw); err != nil {
		return nil, err
	}
	if err := old.UnmarshalJSON(review.Request.OldObject.Raw); err != nil {
		return nil, err
	}
	response := admission.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	if path == "/validate" {
		errs, err := r.judge(ctx, &new, &old)
		if err != nil {
			return nil, err
		}
		if len(errs) > 0 {
			status := apierrors.NewInvalid(r.kind.GroupKind(), new.GetName(), errs).Status()
			response.Allowed, response.Result = false, &status
		}
	}
	return json.Marshal(admission.AdmissionReview{
		TypeMeta: metav1.TypeMeta{Kind: review.Kind, APIVersion: review.APIVersion},
		Response: &response,
	})
}

// judge validates an update as a server does.
func (r *resource) judge(ctx context.Context, new, old *unstructured.Unstructured) (field.ErrorList, error) {
	if err := r.decode(old.Object, true); err != nil {
		return nil, err
	}
	if err := r.decode(new.Object, false); err != nil {
		return nil, err
	}
	r.main.PrepareForUpdate(ctx, new, old)
	return r.main.ValidateUpdate(ctx, new, old), nil
}
