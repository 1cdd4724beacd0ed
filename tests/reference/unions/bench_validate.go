package main

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"union-reference-timing"
)

// A check is the struct Check of tests/benches/src as a Go struct.
type check struct {
	Type          string    `json:"type"`
	PeriodSeconds uint32    `json:"periodSeconds"`
	Exec          *[]string `json:"exec,omitempty"`
	HTTPGet       *httpGet  `json:"httpGet,omitempty"`
	Port          *uint16   `json:"port,omitempty"`
	GRPC          *string   `json:"grpc,omitempty"`
}

type httpGet struct {
	Path string `json:"path"`
	Port uint16 `json:"port"`
}

var checkMembers = validate.NewDiscriminatedUnionMembership("type",
	validate.NewDiscriminatedUnionMember("exec", "Exec"),
	validate.NewDiscriminatedUnionMember("httpGet", "HttpGet"),
	validate.NewDiscriminatedUnionMember("port", "Port"),
	validate.NewDiscriminatedUnionMember("grpc", "Grpc"))

func (c *check) validate(ctx context.Context, op operation.Operation, old *check) field.ErrorList {
	return validate.DiscriminatedUnion(ctx, op, nil, c, old, checkMembers,
		func(c *check) string {
			if c == nil {
				return ""
			}
			return c.Type
		},
		func(c *check) bool { return c != nil && c.Exec != nil },
		func(c *check) bool { return c != nil && c.HTTPGet != nil },
		func(c *check) bool { return c != nil && c.Port != nil },
		func(c *check) bool { return c != nil && c.GRPC != nil })
}

// timeValidation times the calls that Kubernetes' declarative validation makes for a check.
func (w *workload) timeValidation(printer *timing.Printer) error {
	type pair struct {
		new, old *check
		op       operation.Operation
	}
	var pairs []pair
	ctx := context.Background()
	for _, each := range w.Cases {
		next := pair{op: operation.Operation{Type: operation.Create}}
		var err error
		if next.new, err = asCheck(each.New); err != nil {
			return err
		}
		if each.Old != nil {
			next.op.Type = operation.Update
			if next.old, err = asCheck(each.Old); err != nil {
				return err
			}
		}
		if errs := next.new.validate(ctx, next.op, next.old); (len(errs) > 0) != (each.Errors > 0) {
			return fmt.Errorf("%d errors are wanted, not %v", each.Errors, errs)
		}
		pairs = append(pairs, next)
	}
	return printer.Time(w.Row, turns(len(pairs), func(i int) {
		pairs[i].new.validate(ctx, pairs[i].op, pairs[i].old)
	}), nil)
}

func asCheck(object map[string]any) (*check, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	found := new(check)
	return found, json.Unmarshal(text, found)
}
