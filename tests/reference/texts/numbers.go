package main

import (
	"encoding/json"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// storedNumbers parses a list of numbers as an API server parses JSON. Each result has the type and
// the JSON of the parsed number, and the type and the JSON of the number that is parsed from this
// JSON.
func storedNumbers(text, _ string) ([]string, error) {
	sent, err := listOf(text)
	if err != nil {
		return nil, err
	}
	written, err := json.Marshal(sent)
	if err != nil {
		return nil, err
	}
	stored, err := listOf(string(written))
	if err != nil {
		return nil, err
	}
	found := make([]string, 0, len(sent))
	for i := range sent {
		first, err := shown(sent[i])
		if err != nil {
			return nil, err
		}
		second, err := shown(stored[i])
		if err != nil {
			return nil, err
		}
		found = append(found, first+" "+second)
	}
	return found, nil
}

func listOf(text string) ([]any, error) {
	var found []any
	err := utiljson.Unmarshal([]byte(text), &found)
	return found, err
}

func shown(number any) (string, error) {
	written, err := json.Marshal(number)
	return fmt.Sprintf("%T %s", number, written), err
}
