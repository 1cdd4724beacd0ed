//go:build environment_without_table

package main

// tableOf returns an empty table, because an environment does not list its functions and macros.
func tableOf(string, bool) (*table, error) { return &table{}, nil }
