//go:build types_of_protobuf

package main

import "github.com/google/cel-go/cel"

func formatType(of *cel.Type) string {
	converted, err := cel.TypeToExprType(of)
	if err != nil {
		return err.Error()
	}
	return cel.FormatType(converted)
}
