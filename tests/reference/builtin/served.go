package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// servedKinds are the kinds that a client can create, by the minor version of the server. A kind is
// written as "apps/v1 Deployment".
type servedKinds map[string][]string

func readJSON(path string, value any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// printServed prints served.json with the kinds of these releases. A server serves them if all
// versions of the API are on. The module k8s.io/kubernetes has the discovery documents of such a
// server.
func printServed(path string, releases []release) error {
	var served servedKinds
	if err := readJSON(path, &served); err != nil {
		return err
	}
	for _, release := range releases {
		paths, err := filepath.Glob(filepath.Join(release.dirs[0], "api/discovery/api*__v*.json"))
		if err != nil {
			return err
		}
		if len(paths) == 0 {
			return fmt.Errorf("%s has no discovery documents", release.dirs[0])
		}
		var kinds []string
		for _, path := range paths {
			found, err := createdKinds(path)
			if err != nil {
				return err
			}
			kinds = append(kinds, found...)
		}
		slices.Sort(kinds)
		served[strconv.Itoa(release.minor)] = slices.Compact(kinds)
	}
	var lines []string
	for _, minor := range sortedKeys(served) {
		text, err := json.Marshal(served[minor])
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%q: %s", minor, text))
	}
	fmt.Printf("{\n%s\n}\n", strings.Join(lines, ",\n"))
	return nil
}

// createdKinds returns the kinds of the discovery document of a version that a client can create.
func createdKinds(path string) ([]string, error) {
	var document struct {
		GroupVersion string `json:"groupVersion"`
		Resources    []struct {
			Name  string   `json:"name"`
			Kind  string   `json:"kind"`
			Verbs []string `json:"verbs"`
		} `json:"resources"`
	}
	if err := readJSON(path, &document); err != nil {
		return nil, err
	}
	var kinds []string
	for _, resource := range document.Resources {
		isSubresource := strings.Contains(resource.Name, "/")
		if !isSubresource && slices.Contains(resource.Verbs, "create") {
			kinds = append(kinds, document.GroupVersion+" "+resource.Kind)
		}
	}
	return kinds, nil
}

// kinds returns the kinds of a minor version that the modules of the version describe.
func (s servedKinds) kinds(version *version) ([]kind, error) {
	names, ok := s[strconv.Itoa(version.minor)]
	if !ok {
		return nil, fmt.Errorf("served.json does not have 1.%d; add it with run --served v1.%[1]d.0", version.minor)
	}
	var kinds []kind
	for _, name := range names {
		apiVersion, kindName, _ := strings.Cut(name, " ")
		group, versionName, hasGroup := strings.Cut(apiVersion, "/")
		if !hasGroup {
			group, versionName = "", apiVersion
		}
		read := version.packageOf(group, versionName, kindName)
		if read == nil {
			return nil, fmt.Errorf("1.%d serves %s, and no module has its type", version.minor, name)
		}
		kinds = append(kinds, kind{
			Group: group, Version: versionName, Kind: kindName,
			Type: read.openAPIPrefix() + "." + kindName,
		})
	}
	return kinds, nil
}

// packageOf returns the package of a version of an API group that has a kind; nil if no module has the
// kind.
func (v *version) packageOf(group, versionName, kindName string) *apiPackage {
	for _, read := range v.packages {
		if read.group == group && strings.HasSuffix(read.importPath, "/"+versionName) && read.types[kindName] != nil {
			return read
		}
	}
	return nil
}
