//go:build base_environment_with_strict_cost

package main

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

// baseEnvironment returns the environment of the rules of CRDs. The rules of CRDs have strict
// costs, which the argument true selects.
func baseEnvironment(of *version.Version) *environment.EnvSet {
	return environment.MustBaseEnvSet(of, true)
}
