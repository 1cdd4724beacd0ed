//go:build !without_named_formats

package main

import (
	"strings"

	"github.com/google/cel-go/common/types/ref"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

func init() {
	renderers = append(renderers, func(value ref.Val) (string, bool) {
		// The name is in lower case, because its case differs from the name in the expression.
		// Expressions cannot read the name.
		switch value := any(value).(type) {
		case apiservercel.Format:
			return "format(" + strings.ToLower(value.Name) + ")", true
		case *apiservercel.Format:
			return "format(" + strings.ToLower(value.Name) + ")", true
		}
		return "", false
	})
}
