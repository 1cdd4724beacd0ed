//go:build !without_semver

package main

import (
	"github.com/google/cel-go/common/types/ref"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

func init() {
	renderers = append(renderers, func(value ref.Val) (string, bool) {
		semver, is := value.(apiservercel.Semver)
		if !is {
			return "", false
		}
		return "semver(" + semver.String() + ")", true
	})
}
