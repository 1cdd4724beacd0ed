//go:build !without_addresses

package main

import (
	"github.com/google/cel-go/common/types/ref"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

func init() {
	renderers = append(renderers, func(value ref.Val) (string, bool) {
		switch value := value.(type) {
		case apiservercel.IP:
			return "ip(" + value.String() + ")", true
		case apiservercel.CIDR:
			return "cidr(" + value.String() + ")", true
		}
		return "", false
	})
}
