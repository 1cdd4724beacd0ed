package main

import (
	"context"
	"fmt"
	"regexp"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// An answer contains the results of an expression. After an error, the later results are absent.
type answer struct {
	// Compile is the compile error.
	Compile string `json:"compile,omitempty"`
	Type    string `json:"type,omitempty"`
	// Estimate is the estimated cost in the worst case.
	Estimate uint64 `json:"estimate,omitempty"`
	// Value is the value of the expression, see render.go.
	Value string `json:"value,omitempty"`
	// Error is the error of the evaluation.
	Error string `json:"error,omitempty"`
	Cost  uint64 `json:"cost,omitempty"`
	// Panic is the message of a panic of the server's code.
	Panic string `json:"panic,omitempty"`
}

func (d *declaration) answer(q *question) (a *answer) {
	a = &answer{}
	defer func() {
		if broken := recover(); broken != nil {
			a.Panic = fmt.Sprint(broken)
		}
	}()
	program := d.compile(q.Expression, a)
	if program == nil {
		return a
	}
	value, details, err := program.ContextEval(context.Background(), d.variables(q))
	if cost := details.ActualCost(); cost != nil {
		a.Cost = *cost
	}
	if err != nil {
		a.Error = named(err.Error())
		return a
	}
	a.Value = render(value)
	return a
}

func (d *declaration) compile(expression string, a *answer) cel.Program {
	ast, issues := d.env.Compile(expression)
	if issues != nil {
		a.Compile = named("compilation failed: " + issues.String())
		return nil
	}
	a.Type = named(formatType(ast.OutputType()))
	program, err := d.env.Program(ast,
		cel.CostLimit(celconfig.PerCallLimit),
		cel.CostTracking(d.estimator),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency),
	)
	if err != nil {
		a.Compile = named("program instantiation failed: " + err.Error())
		a.Type = ""
		return nil
	}
	estimate, err := d.env.EstimateCost(ast, d.estimator)
	if err != nil {
		a.Compile = "cost estimation failed: " + err.Error()
		return nil
	}
	a.Estimate = estimate.Max
	return program
}

// inside matches the names of the types of nested objects, such as object.spec.
var inside = regexp.MustCompile(`\bobject(\.[\w@]+)+`)

func named(text string) string {
	return inside.ReplaceAllString(text, "object")
}

// variables has the variables of an expression. An absent variable is nil.
type variables struct{ self, oldSelf any }

func (d *declaration) variables(q *question) *variables {
	found := &variables{self: schemacel.UnstructuredToVal(q.Self, d.structural)}
	var old ref.Val
	if q.OldSelf != nil {
		old = schemacel.UnstructuredToVal(q.OldSelf, d.structural)
	}
	switch {
	case d.optionalOldSelf && old == nil:
		found.oldSelf = types.OptionalNone
	case d.optionalOldSelf:
		found.oldSelf = types.OptionalOf(old)
	case old != nil:
		found.oldSelf = old
	}
	return found
}

// ResolveName returns the value of a variable.
func (v *variables) ResolveName(name string) (any, bool) {
	switch name {
	case "self":
		return v.self, true
	case "oldSelf":
		return v.oldSelf, v.oldSelf != nil
	}
	return nil, false
}

// Parent returns nil, because there are no outer variables.
func (v *variables) Parent() interpreter.Activation { return nil }
