package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The types of an older and of a newer version of a module.
const (
	older = `
type Set struct {
	metav1.TypeMeta
	Spec SetSpec ` + "`json:\"spec\"`" + `
}
type SetSpec struct {
	// +oneOf=Source
	Git *string ` + "`json:\"git,omitempty\"`" + `
	// +oneOf=Source
	Image string ` + "`json:\"image,omitempty\"`" + `
	Files []string ` + "`json:\"files,omitempty\"`" + `
	Type StrategyType ` + "`json:\"type\"`" + `
	Rolling *int ` + "`json:\"rolling,omitempty\"`" + `
	Gone *int ` + "`json:\"gone,omitempty\"`" + `
}
type Unused struct {
	A *int ` + "`json:\"a\"`" + `
	B *int ` + "`json:\"b\"`" + `
}
type StrategyType string
const (
	Rolling StrategyType = "Rolling"
	Off = StrategyType("Off")
)
`
	newer = older + `
const Restart StrategyType = "Restart"
`
)

// mergeRows returns the unions of rows, and the texts of the parts that are left out.
func mergeRows(t *testing.T, rows string) ([]union, []string) {
	t.Helper()
	var releases []release
	for i, text := range []string{older, strings.Replace(newer, "Gone *int", "New *int", 1)} {
		dir := t.TempDir()
		folder := filepath.Join(dir, "sets", "v1")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		text = strings.ReplaceAll(text, "json:\"gone,", []string{"json:\"gone,", "json:\"new,"}[i])
		for path, text := range map[string]string{
			filepath.Join(dir, "go.mod"):         "module k8s.io/api\n",
			filepath.Join(folder, "register.go"): "package v1\nconst GroupName = \"sets\"\n",
			filepath.Join(folder, "types.go"):    "package v1\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" + text,
		} {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		releases = append(releases, release{30 + i, []string{dir}})
	}
	var versions []*version
	for _, release := range releases {
		version := &version{minor: release.minor, packages: map[string]*apiPackage{}}
		if err := version.readModule(release.dirs[0]); err != nil {
			t.Fatal(err)
		}
		versions = append(versions, version)
	}
	var parsed []row
	if err := json.Unmarshal([]byte(rows), &parsed); err != nil {
		t.Fatal(err)
	}
	served := servedKinds{"30": {"sets/v1 Set"}, "31": {"sets/v1 Set"}}
	var leftOut leftOut
	table, err := merge(parsed, versions, served, &leftOut)
	if err != nil {
		t.Fatal(err)
	}
	return table.unions, leftOut.found
}

func TestLeftOutParts(t *testing.T) {
	group := "sets/v1 SetSpec: no row for the fields of oneOf=Source"
	row := func(members, more string) string {
		return `{"api": "sets/v1", "type": "SetSpec", "members": ` + members + `, "arity": "at most one"` + more + `}`
	}
	for name, test := range map[string]struct {
		rows    string
		leftOut []string
	}{
		"all fields of a group": {
			rows: row(`[{"field": "git"}, {"field": "image"}]`, ""),
		},
		"other fields": {
			rows:    row(`[{"field": "git"}, {"field": "files"}]`, ""),
			leftOut: []string{group},
		},
		"unknown field": {
			rows:    row(`[{"field": "git"}, {"field": "image"}, {"field": "zip"}]`, ""),
			leftOut: []string{"sets/v1 SetSpec: no field zip"},
		},
		"no field": {
			rows:    row(`[{"field": "zip"}]`, ""),
			leftOut: []string{"sets/v1 SetSpec: no field zip", "sets/v1 SetSpec: no member exists", group},
		},
		"only member": {
			rows:    row(`[{"field": "git"}]`, ""),
			leftOut: []string{"sets/v1 SetSpec: git is the only member, and need not be set", group},
		},
		"repeated": {
			rows:    row(`[{"field": "git"}, {"field": "image"}]`, "") + "," + row(`[{"field": "image"}, {"field": "git"}]`, ""),
			leftOut: []string{"sets/v1 SetSpec: another row has the members image, git"},
		},
		"since after until": {
			rows:    row(`[{"field": "git"}, {"field": "image"}, {"field": "gone", "since": 31}]`, ""),
			leftOut: []string{"sets/v1 SetSpec: gone exists since 1.31 and until 1.30"},
		},
		"value without a row": {
			rows: row(`[{"field": "git"}, {"field": "image"}]`, "") +
				`,{"api": "sets/v1", "type": "SetSpec", "discriminator": {"field": "type", "empty": ["Off"]}, "members": [{"field": "rolling", "value": "Rolling"}], "arity": "by discriminator"}`,
			leftOut: []string{`sets/v1 SetSpec: the value "Restart" of type`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := mergeRows(t, "["+test.rows+"]")
			slices.Sort(found)
			if !slices.Equal(found, test.leftOut) {
				t.Errorf("left out: %q", found)
			}
		})
	}
}

func TestVersionsAndEmptyValues(t *testing.T) {
	rows := `[
		{"api": "sets/v1", "type": "SetSpec", "members": [{"field": "git"}, {"field": "image"}], "arity": "exactly one"},
		{"api": "sets/v1", "type": "SetSpec", "members": [{"field": "files"}, {"field": "gone"}, {"field": "new"}], "arity": "at most one"},
		{"api": "sets/v1", "type": "SetSpec", "discriminator": {"field": "type", "empty": ["Off", "Restart"]}, "members": [{"field": "rolling", "value": "Rolling"}], "arity": "by discriminator"}
	]`
	unions, leftOut := mergeRows(t, rows)
	if len(leftOut) > 0 {
		t.Errorf("left out: %q", leftOut)
	}
	text, err := json.Marshal([]any{unions[0].Members, unions[1].Members, unions[2].Discriminator})
	if err != nil {
		t.Fatal(err)
	}
	expected := `[[{"field":"git"},{"field":"image","unset_if_empty":true}],` +
		`[{"field":"files","unset_if_empty":true},{"field":"gone","until":30},{"field":"new","since":31}],` +
		`{"field":"type","empty":[{"value":"Off"},{"value":"Restart","since":31}],"unset_if_empty":true}]`
	if string(text) != expected {
		t.Errorf("unions: %s", text)
	}
}

func TestReasons(t *testing.T) {
	for name, test := range map[string]struct {
		reasons map[string]string
		found   []string
		isValid bool
	}{
		"nothing":          {isValid: true},
		"with a reason":    {reasons: map[string]string{"a": "because"}, found: []string{"a"}, isValid: true},
		"without a reason": {found: []string{"a"}},
		"other reason":     {reasons: map[string]string{"b": "because"}, found: []string{"a"}},
		"unused reason":    {reasons: map[string]string{"a": "because"}},
	} {
		t.Run(name, func(t *testing.T) {
			leftOut := leftOut{reasons: test.reasons, found: test.found}
			if err := leftOut.check(io.Discard); (err == nil) != test.isValid {
				t.Errorf("the error is %v", err)
			}
		})
	}
}
