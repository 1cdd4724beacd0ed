//go:build !environment_without_table

package main

import (
	"sort"
	"strings"
)

func tableOf(text string, stored bool) (*table, error) {
	set, err := baseOf(text)
	if err != nil {
		return nil, err
	}
	env := set.NewExpressionsEnv()
	if stored {
		env = set.StoredExpressionsEnv()
	}
	found := &table{Functions: []string{}, Macros: []string{}}
	for name, function := range env.Functions() {
		for _, overload := range function.OverloadDecls() {
			types := []string{}
			for _, arg := range overload.ArgTypes() {
				types = append(types, formatType(arg))
			}
			receiver := ""
			if overload.IsMemberFunction() && len(types) > 0 {
				receiver, types = types[0]+".", types[1:]
			}
			result := formatType(overload.ResultType())
			found.Functions = append(found.Functions, receiver+name+"("+strings.Join(types, ", ")+") -> "+result)
		}
	}
	for _, macro := range env.Macros() {
		found.Macros = append(found.Macros, macro.MacroKey())
	}
	sort.Strings(found.Functions)
	sort.Strings(found.Macros)
	return found, nil
}
