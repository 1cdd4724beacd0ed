package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type validateQuestion struct {
	Subject       string   `json:"subject"`
	Path          []any    `json:"path"`
	Discriminator string   `json:"discriminator"`
	Members       []member `json:"members"`
	Update        bool     `json:"update"`
	Old           *object  `json:"old"`
	New           *object  `json:"new"`
}

type member struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// An object is a JSON object. The validation functions get a pointer to it, because in an API
// server they get a pointer to a struct.
type object map[string]any

type validateAnswer struct {
	Errors []fieldError `json:"errors"`
}

type fieldError struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Value  any    `json:"value"`
	Detail string `json:"detail"`
	Text   string `json:"text"`
}

func validateUnion(q *validateQuestion) (*validateAnswer, error) {
	at, err := path(q.Path)
	if err != nil {
		return nil, err
	}
	op := operation.Operation{Type: operation.Create}
	if q.Update {
		op.Type = operation.Update
	}
	ctx := context.Background()
	var errs field.ErrorList
	switch q.Subject {
	case "validate-union":
		errs = validate.Union(ctx, op, at, q.New, q.Old, q.membership(), q.areSet()...)
	case "validate-zero-or-one":
		errs = validate.ZeroOrOneOfUnion(ctx, op, at, q.New, q.Old, q.membership(), q.areSet()...)
	case "validate-discriminated":
		errs = validate.DiscriminatedUnion(ctx, op, at, q.New, q.Old, q.membership(), q.selected, q.areSet()...)
	}
	answer := &validateAnswer{Errors: []fieldError{}}
	for _, err := range errs {
		answer.Errors = append(answer.Errors, fieldError{
			Type:   string(err.Type),
			Field:  err.Field,
			Value:  err.BadValue,
			Detail: err.Detail,
			Text:   err.Error(),
		})
	}
	return answer, nil
}

func (q *validateQuestion) membership() *validate.UnionMembership {
	members := make([]validate.UnionMember, 0, len(q.Members))
	for _, member := range q.Members {
		if q.Discriminator == "" {
			members = append(members, validate.NewUnionMember(member.Name))
		} else {
			members = append(members, validate.NewDiscriminatedUnionMember(member.Name, member.Value))
		}
	}
	if q.Discriminator == "" {
		return validate.NewUnionMembership(members...)
	}
	return validate.NewDiscriminatedUnionMembership(q.Discriminator, members...)
}

// areSet returns a function for each member, which returns true if the member is present and not
// null.
func (q *validateQuestion) areSet() []validate.ExtractorFn[*object, bool] {
	found := make([]validate.ExtractorFn[*object, bool], 0, len(q.Members))
	for _, member := range q.Members {
		found = append(found, func(o *object) bool { return o.get(member.Name) != nil })
	}
	return found
}

// selected returns the discriminator, or "" if it is absent, as a Go struct does.
func (q *validateQuestion) selected(o *object) string {
	text, _ := o.get(q.Discriminator).(string)
	return text
}

func (o *object) get(name string) any {
	if o == nil {
		return nil
	}
	return (*o)[name]
}

func path(steps []any) (*field.Path, error) {
	var at *field.Path
	for _, step := range steps {
		switch step := step.(type) {
		case string:
			at = at.Child(step)
		case int64:
			at = at.Index(int(step))
		case map[string]any:
			at = at.Key(fmt.Sprint(step["key"]))
		default:
			return nil, fmt.Errorf("not a step of a path: %v", step)
		}
	}
	return at, nil
}
