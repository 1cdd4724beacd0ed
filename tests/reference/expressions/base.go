//go:build !base_environment_with_strict_cost

package main

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

func baseEnvironment(of *version.Version) *environment.EnvSet {
	return environment.MustBaseEnvSet(of)
}
