package main

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"

	"union-reference/crds"
)

// A declaration is a schema with its CEL environment.
type declaration struct {
	structural      *schema.Structural
	env             *cel.Env
	estimator       *library.CostEstimator
	optionalOldSelf bool
}

func declare(q *question) (*declaration, error) {
	props, err := crds.ReadSchema(q.Schema)
	if err != nil {
		return nil, err
	}
	structural, err := crds.Structural(props, false)
	if err != nil {
		return nil, err
	}
	// A server generates a random name for the type. A fixed name keeps the messages equal.
	this := model.SchemaDeclType(structural, false).MaybeAssignTypeName("object")
	base, err := baseOf(q.Version)
	if err != nil {
		return nil, err
	}
	old := this.CelType()
	if q.OptionalOldSelf {
		old = cel.OptionalType(old)
	}
	set, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", this.CelType()), cel.Variable("oldSelf", old)},
		DeclTypes:         []*apiservercel.DeclType{this},
	})
	if err != nil {
		return nil, err
	}
	return &declaration{
		structural:      structural,
		env:             set.NewExpressionsEnv(),
		estimator:       &library.CostEstimator{SizeEstimator: sizes{this}},
		optionalOldSelf: q.OptionalOldSelf,
	}, nil
}

func baseOf(text string) (*environment.EnvSet, error) {
	parsed, err := version.ParseGeneric(text)
	if err != nil {
		return nil, err
	}
	return baseEnvironment(parsed), nil
}

// sizes estimates the maximum sizes of declared values, on which the cost of a rule depends.
type sizes struct{ this *apiservercel.DeclType }

func (s sizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	path := node.Path()
	if len(path) == 0 {
		return nil
	}
	at := s.this
	for _, step := range path[1:] {
		if at = below(at, step); at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(at.MaxElements)}
}

// below returns the type of a field, of the keys or of the elements, or nil if it is not declared.
func below(of *apiservercel.DeclType, step string) *apiservercel.DeclType {
	if step == "@keys" {
		return of.KeyType
	}
	if step == "@items" || step == "@values" {
		return of.ElemType
	}
	if field := of.Fields[step]; field != nil {
		return field.Type
	}
	return nil
}

// EstimateCallCost returns nil, so that the libraries estimate the costs of functions.
func (s sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}
