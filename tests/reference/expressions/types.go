//go:build !types_of_protobuf

package main

import "github.com/google/cel-go/cel"

func formatType(of *cel.Type) string { return cel.FormatCELType(of) }
