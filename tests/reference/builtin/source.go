package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// A version is the API types of one minor version of Kubernetes.
type version struct {
	minor    int
	packages map[string]*apiPackage // by import path
}

// An apiPackage is the Go package of one version of an API group.
type apiPackage struct {
	importPath string
	group      string // the name of the API group, "" for core
	types      map[string]ast.Expr
	imports    map[string]map[string]string // import paths by type and by local name
	// constants are the string constants by type. Constants without a type are under "".
	constants map[string][]string
}

// A field is a field of a struct as JSON has it.
type field struct {
	name    string
	expr    ast.Expr
	owner   *apiPackage
	imports map[string]string
	markers []string
	// The patch strategy and the merge key of the field's tag. API servers read them there.
	patchStrategy, mergeKey string
}

// readModule reads all API packages of a Go module.
func (v *version) readModule(dir string) error {
	module, err := moduleName(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() != "types.go" {
			return nil
		}
		folder := filepath.Dir(path)
		if _, err := os.Stat(filepath.Join(folder, "register.go")); err != nil {
			return nil
		}
		below, err := filepath.Rel(dir, folder)
		if err != nil {
			return err
		}
		// Internal types are in the folder of the group, without a version.
		if last := filepath.Base(folder); len(last) < 2 || last[0] != 'v' || last[1] < '0' || last[1] > '9' {
			return nil
		}
		return v.readPackage(folder, module+"/"+filepath.ToSlash(below))
	})
}

func moduleName(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", err
	}
	for _, line := range strings.Split(string(text), "\n") {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(name), nil
		}
	}
	return "", fmt.Errorf("%s/go.mod does not name a module", dir)
}

func (v *version) readPackage(folder, importPath string) error {
	read := &apiPackage{
		importPath: importPath,
		types:      map[string]ast.Expr{},
		imports:    map[string]map[string]string{},
		constants:  map[string][]string{},
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || base == "generated.pb.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		read.addFile(file)
	}
	v.packages[importPath] = read
	return nil
}

func (p *apiPackage) addFile(file *ast.File) {
	imports := map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		local := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imports[local] = path
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.types[spec.Name.Name] = spec.Type
					p.imports[spec.Name.Name] = imports
				case *ast.ValueSpec:
					p.addConstants(spec)
				}
			}
		}
	}
}

// addConstants adds the string constants of a declaration: literals, and conversions of literals.
func (p *apiPackage) addConstants(spec *ast.ValueSpec) {
	for i, value := range spec.Values {
		typeName := ""
		if declared, ok := spec.Type.(*ast.Ident); ok {
			typeName = declared.Name
		}
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
			if converted, ok := call.Fun.(*ast.Ident); ok {
				typeName, value = converted.Name, call.Args[0]
			}
		}
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		text, err := strconv.Unquote(literal.Value)
		if err != nil {
			continue
		}
		if spec.Names[i].Name == "GroupName" {
			p.group = text
		}
		p.constants[typeName] = append(p.constants[typeName], text)
	}
}

// openAPIPrefix returns the name of the package in the names of OpenAPI schemas.
func (p *apiPackage) openAPIPrefix() string {
	host, rest, _ := strings.Cut(p.importPath, "/")
	parts := strings.Split(host, ".")
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(rest, "/", ".")
}

// apiVersion returns the folders of the group and of the version, such as "core/v1".
func (p *apiPackage) apiVersion() string {
	parts := strings.Split(p.importPath, "/")
	return strings.Join(parts[len(parts)-2:], "/")
}

// fields returns the fields of a struct as JSON has them: those of an inlined struct are fields of
// the struct itself. The bool is false if the type is not a struct.
func (v *version) fields(owner *apiPackage, name string) ([]field, bool) {
	object, ok := owner.types[name].(*ast.StructType)
	if !ok {
		return nil, false
	}
	var fields []field
	for _, goField := range object.Fields.List {
		tag := ""
		if goField.Tag != nil {
			if text, err := strconv.Unquote(goField.Tag.Value); err == nil {
				tag = text
			}
		}
		json := reflect.StructTag(tag).Get("json")
		jsonName, options, _ := strings.Cut(json, ",")
		if strings.Contains(options, "inline") || len(goField.Names) == 0 && jsonName == "" {
			inlined, inlinedName := v.named(owner, owner.imports[name], goField.Type)
			if inlined != nil {
				more, _ := v.fields(inlined, inlinedName)
				fields = append(fields, more...)
			}
			continue
		}
		if jsonName == "" || jsonName == "-" {
			continue
		}
		fields = append(fields, field{
			name:    jsonName,
			expr:    goField.Type,
			owner:   owner,
			imports: owner.imports[name],
			markers: markers(goField.Doc),

			patchStrategy: reflect.StructTag(tag).Get("patchStrategy"),
			mergeKey:      reflect.StructTag(tag).Get("patchMergeKey"),
		})
	}
	return fields, true
}

// markers returns the tags of a comment, without the plus sign.
func markers(doc *ast.CommentGroup) []string {
	var found []string
	if doc == nil {
		return nil
	}
	for _, comment := range doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if marker, ok := strings.CutPrefix(text, "+"); ok {
			found = append(found, marker)
		}
	}
	return found
}

// named returns the package and the name of a named type; nil if the package is not an API package.
func (v *version) named(owner *apiPackage, imports map[string]string, expr ast.Expr) (*apiPackage, string) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return v.named(owner, imports, expr.X)
	case *ast.Ident:
		if _, ok := owner.types[expr.Name]; ok {
			return owner, expr.Name
		}
	case *ast.SelectorExpr:
		if local, ok := expr.X.(*ast.Ident); ok {
			if other := v.packages[imports[local.Name]]; other != nil {
				return other, expr.Sel.Name
			}
		}
	}
	return nil, ""
}

// A target is the struct that a field contains, and the lists and maps around it.
type target struct {
	typeName string
	shape    string // "", "list" or "map"
}

// target returns the struct to which a field leads. The bool is false if there is none.
func (v *version) target(owner *apiPackage, imports map[string]string, expr ast.Expr) (target, bool) {
	switch expr := expr.(type) {
	case *ast.StarExpr:
		return v.target(owner, imports, expr.X)
	case *ast.ArrayType:
		inner, ok := v.target(owner, imports, expr.Elt)
		return target{inner.typeName, "list"}, ok && inner.shape == ""
	case *ast.MapType:
		inner, ok := v.target(owner, imports, expr.Value)
		return target{inner.typeName, "map"}, ok && inner.shape == ""
	}
	found, name := v.named(owner, imports, expr)
	if found == nil {
		return target{}, false
	}
	if _, ok := found.types[name].(*ast.StructType); ok {
		return target{found.openAPIPrefix() + "." + name, ""}, true
	}
	if _, ok := found.types[name].(*ast.Ident); ok {
		return target{}, false
	}
	return v.target(found, found.imports[name], found.types[name])
}

// isUnsetIfEmpty returns true if the server cannot tell an empty value of the field from a missing
// value: the field is a string, a number, a boolean or a list, and not a pointer.
func (v *version) isUnsetIfEmpty(field field) bool {
	expr, owner := field.expr, field.owner
	for {
		switch typed := expr.(type) {
		case *ast.ArrayType:
			return true
		case *ast.Ident:
			next, isNamed := owner.types[typed.Name]
			if !isNamed {
				// A predeclared type, such as string.
				return true
			}
			expr = next
		default:
			return false
		}
	}
}

// values returns the constants of the field's type. For a field of type string, these are the
// constants of the package that have no type, and isComplete is false.
func (v *version) values(field field) (values []string, isComplete bool) {
	expr := field.expr
	if pointer, ok := expr.(*ast.StarExpr); ok {
		expr = pointer.X
	}
	name, ok := expr.(*ast.Ident)
	if !ok {
		return nil, false
	}
	if _, isNamed := field.owner.types[name.Name]; isNamed {
		return field.owner.constants[name.Name], true
	}
	return field.owner.constants[""], false
}
