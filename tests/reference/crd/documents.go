package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

func printDocuments(folder string, out io.Writer) error {
	found, err := documents(folder)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	for _, each := range found {
		if err := encoder.Encode(each); err != nil {
			return err
		}
	}
	return nil
}

// documents reads all YAML files below a folder.
func documents(folder string) ([]map[string]any, error) {
	var found []map[string]any
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
		for {
			part, err := reader.Read()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			object, err := document(part)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if object != nil {
				found = append(found, object)
			}
		}
	})
	return found, err
}

func document(part []byte) (map[string]any, error) {
	part, err := yaml.YAMLToJSON(part)
	if err != nil || bytes.Equal(part, []byte("null")) {
		return nil, err
	}
	var object unstructured.Unstructured
	err = object.UnmarshalJSON(part)
	return object.Object, err
}
