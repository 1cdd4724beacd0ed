package main

import (
	"context"
	"fmt"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"

	"union-reference/crds"
)

// A judge returns the API server's results. It keeps compiled schemas, as the server does.
type judge struct {
	schemas map[string]*compiled
}

type compiled struct {
	structural *structuralschema.Structural
	schema     validation.SchemaValidator
	cel        *cel.Validator
}

func newJudge() *judge {
	return &judge{schemas: map[string]*compiled{}}
}

func (j *judge) answer(ctx context.Context, q *question) ([]string, error) {
	if q.CRD != nil {
		return j.crd(ctx, q.CRD, q.Strict)
	}
	schema, err := j.compile(string(q.Schema))
	if err != nil {
		return nil, err
	}
	if q.Costs {
		return schema.costs()
	}
	return schema.validate(ctx, q.Object, q.Old)
}

// costs returns a line for each rule of the schema. The line has the cost of one evaluation, the
// maximum number of evaluations if a list without bounds contains the objects, and the cost of the
// message expression.
func (c *compiled) costs() ([]string, error) {
	declared := model.SchemaDeclType(c.structural, false)
	environments := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	rules, err := cel.Compile(c.structural, declared, celconfig.PerCallLimit, environments, cel.NewExpressionsEnvLoader())
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, rule := range rules {
		if rule.Error != nil {
			return nil, rule.Error
		}
		lines = append(lines, fmt.Sprintf("%d x %d, message %d", rule.MaxCost, rule.MaxCardinality, rule.MessageExpressionMaxCost))
	}
	return lines, nil
}

// crd returns the server's errors about the creation of the CRD.
func (j *judge) crd(ctx context.Context, text []byte, strict bool) ([]string, error) {
	crd, err := crds.Read(text)
	if err != nil {
		return nil, err
	}
	found := texts(crds.Lint(ctx, crd))
	if strict {
		unknown, err := crds.Unknown(text)
		if err != nil {
			return nil, err
		}
		found = append(found, unknown...)
	}
	return found, nil
}

func (j *judge) compile(text string) (*compiled, error) {
	if schema, ok := j.schemas[text]; ok {
		return schema, nil
	}
	props, err := crds.ReadSchema([]byte(text))
	if err != nil {
		return nil, err
	}
	structural, err := crds.Structural(props, false)
	if err != nil {
		return nil, err
	}
	if errs := structuralschema.ValidateStructural(nil, structural); len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	schema, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	found := &compiled{
		structural: structural,
		schema:     schema,
		cel:        cel.NewValidator(structural, false, celconfig.PerCallLimit),
	}
	j.schemas[text] = found
	return found, nil
}

// validate prunes an object, sets its defaults, and validates it, as the server does. It returns
// the errors.
func (c *compiled) validate(ctx context.Context, new, old any) ([]string, error) {
	object, ok := new.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the object is not a JSON object")
	}
	c.decode(object)
	if old == nil {
		errs := validation.ValidateCustomResource(nil, object, c.schema)
		errs = append(errs, listtype.ValidateListSetsAndMaps(nil, c.structural, object)...)
		return texts(append(errs, c.rules(ctx, object, nil)...)), nil
	}
	c.decode(old)
	correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: c.structural})
	errs := validation.ValidateCustomResourceUpdate(nil, object, old, c.schema, validation.WithRatcheting(correlated))
	return texts(append(errs, c.rules(ctx, object, old, cel.WithRatcheting(correlated))...)), nil
}

func (c *compiled) decode(object any) {
	pruning.Prune(object, c.structural, false)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, c.structural)
	defaulting.Default(object, c.structural)
}

func (c *compiled) rules(ctx context.Context, new, old any, options ...cel.Option) field.ErrorList {
	if c.cel == nil {
		return nil
	}
	errs, _ := c.cel.Validate(ctx, nil, c.structural, new, old, celconfig.RuntimeCELCostBudget, options...)
	return errs
}

func texts(errs field.ErrorList) []string {
	found := []string{}
	for _, err := range errs {
		found = append(found, err.Error())
	}
	return found
}
