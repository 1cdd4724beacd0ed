package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// A row is a union in the table. API and Type select the types: API is the folder of the group and
// of the version in the Go module, such as "core/v1" or "core/*". With In, the union holds only in a
// field of another type of the same package, such as "ExternalMetricSource.target". With MembersOf,
// the members are all fields of a struct of the same package, which Type inlines or which is Type
// itself; Members then describes those that are not only a field.
type row struct {
	API           string         `json:"api"`
	Type          string         `json:"type"`
	In            string         `json:"in"`
	Discriminator *discriminator `json:"discriminator"`
	Members       []member       `json:"members"`
	MembersOf     string         `json:"members_of"`
	Arity         string         `json:"arity"`
	DefaultMember string         `json:"default_member"`
	Unenforced    []string       `json:"unenforced"`
	Since         int            `json:"since"`
	Source        string         `json:"source"`
}

// A discriminator is the field that names the member, with the values that have no member.
type discriminator struct {
	Field        string  `json:"field"`
	Empty        []value `json:"empty,omitempty"`
	Default      string  `json:"default,omitempty"`
	UnsetIfEmpty bool    `json:"unset_if_empty,omitempty"`
}

// A value is a value of a discriminator, with the versions that have a constant for it.
type value struct {
	Value string `json:"value"`
	Since int    `json:"since,omitempty"`
	Until int    `json:"until,omitempty"`
}

// UnmarshalJSON reads a value of a row by hand, which is a string.
func (v *value) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &v.Value) }

// A member is a field of a union. SetIfEmpty is only in rows by hand: the server takes an empty list
// for a set member.
type member struct {
	Field        string `json:"field"`
	Value        string `json:"value,omitempty"`
	Optional     bool   `json:"optional,omitempty"`
	SetIfEmpty   bool   `json:"set_if_empty,omitempty"`
	UnsetIfEmpty bool   `json:"unset_if_empty,omitempty"`
	Since        int    `json:"since,omitempty"`
	Until        int    `json:"until,omitempty"`
}

// A typeField is a field of a type in the output.
type typeField struct {
	Type          string   `json:"type,omitempty"`
	Shape         string   `json:"shape,omitempty"`
	Keys          []string `json:"keys,omitempty"`
	PatchStrategy string   `json:"patch_strategy,omitempty"`
	MergeKey      string   `json:"merge_key,omitempty"`
}

type kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Type    string `json:"type"`
	Since   int    `json:"since,omitempty"`
	Until   int    `json:"until,omitempty"`
}

// A union is a row of the output. Place is the name of the field that must contain the object; such
// a field has a type of its own in the output, which has the name of the field.
type union struct {
	Type  string
	Place string
	row
}

// key returns the name of the union's type in the output.
func (u union) key() string {
	if u.Place != "" {
		return u.Place
	}
	return u.Type
}

// A table is the content of the data file.
type table struct {
	oldest, newest int
	kinds          map[string]*kind
	types          map[string]map[string]typeField
	unions         []union
}

// minors are the versions that have a part of the API.
type minors map[string][]int

func (m minors) add(name string, minor int) {
	if !slices.Contains(m[name], minor) {
		m[name] = append(m[name], minor)
	}
}

// span returns the first and the last version, or 0 if the part is older or still exists.
func (m minors) span(name string, oldest, newest int) (since, until int) {
	found := m[name]
	if len(found) == 0 {
		return 0, 0
	}
	if found[0] > oldest {
		since = found[0]
	}
	if last := found[len(found)-1]; last < newest {
		until = last
	}
	return since, until
}

// A merger collects the types that servers serve, and the unions of the modules' tags.
type merger struct {
	table
	leftOut *leftOut
	// Versions by the names of types, fields and values. A part of the API counts only for the
	// versions whose servers serve a kind that leads to it.
	typeMinors, fieldMinors, valueMinors, tagMinors minors
	// unsetIfEmpty has the fields whose empty values the server cannot tell from a missing value, in
	// all versions.
	unsetIfEmpty map[string]bool
	// discriminators has the discriminators of the rows, such as "DeploymentStrategy.type", and
	// complete those whose constants are all of their values.
	discriminators, complete map[string]bool
	tagged                   map[string][]row
	groups                   map[string]map[string][]string
	apis                     map[string]string // the API of each type, served or not
	// servedAPIs are the APIs of served kinds.
	servedAPIs map[string]bool
	// allFields are the fields of each struct, served or not.
	allFields map[string]map[string]bool
}

// merge adds the unions of the tags to the rows, and finds the types that lead to a union.
func merge(rows []row, versions []*version, served servedKinds, leftOut *leftOut) (*table, error) {
	m := &merger{
		table: table{
			oldest: versions[0].minor,
			newest: versions[len(versions)-1].minor,
			kinds:  map[string]*kind{},
			types:  map[string]map[string]typeField{},
		},
		leftOut:        leftOut,
		typeMinors:     minors{},
		fieldMinors:    minors{},
		valueMinors:    minors{},
		tagMinors:      minors{},
		unsetIfEmpty:   map[string]bool{},
		discriminators: map[string]bool{},
		complete:       map[string]bool{},
		tagged:         map[string][]row{},
		groups:         map[string]map[string][]string{},
		apis:           map[string]string{},
		servedAPIs:     map[string]bool{},
		allFields:      map[string]map[string]bool{},
	}
	for _, row := range rows {
		if row.Discriminator != nil {
			m.discriminators[row.Type+"."+row.Discriminator.Field] = true
		}
	}
	kindMinors := minors{}
	for _, version := range versions {
		kinds, err := served.kinds(version)
		if err != nil {
			return nil, err
		}
		reached := map[string]bool{}
		for _, kind := range kinds {
			key := kind.Group + "/" + kind.Version + "/" + kind.Kind
			kindMinors.add(key, version.minor)
			m.kinds[key] = &kind
			m.servedAPIs[version.packageOf(kind.Group, kind.Version, kind.Kind).apiVersion()] = true
			version.reach(kind.Type, reached)
		}
		if err := m.addVersion(version, reached); err != nil {
			return nil, err
		}
	}
	for key, found := range m.kinds {
		found.Since, found.Until = kindMinors.span(key, m.oldest, m.newest)
	}
	if err := m.addUnions(rows); err != nil {
		return nil, err
	}
	m.addPlaces()
	m.sortUnions(rows)
	m.prune(leftOut)
	return &m.table, nil
}

// reach adds a type, and the types that its fields contain.
func (v *version) reach(typeName string, reached map[string]bool) {
	if reached[typeName] {
		return
	}
	reached[typeName] = true
	read, name := v.typeOf(typeName)
	if read == nil {
		return
	}
	fields, _ := v.fields(read, name)
	for _, field := range fields {
		if target, ok := v.target(field.owner, field.imports, field.expr); ok {
			v.reach(target.typeName, reached)
		}
	}
}

// typeOf returns the package and the Go name of a type.
func (v *version) typeOf(typeName string) (*apiPackage, string) {
	for _, read := range v.packages {
		if name, ok := strings.CutPrefix(typeName, read.openAPIPrefix()+"."); ok && read.types[name] != nil {
			return read, name
		}
	}
	return nil, ""
}

// addVersion adds the types of a version.
func (m *merger) addVersion(version *version, reached map[string]bool) error {
	for _, read := range version.packages {
		for name := range read.types {
			fields, ok := version.fields(read, name)
			if !ok {
				continue
			}
			typeName := read.openAPIPrefix() + "." + name
			m.apis[typeName] = read.apiVersion()
			if m.allFields[typeName] == nil {
				m.allFields[typeName] = map[string]bool{}
			}
			for _, field := range fields {
				m.allFields[typeName][field.name] = true
			}
			if !reached[typeName] {
				continue
			}
			m.typeMinors.add(typeName, version.minor)
			m.addType(version, typeName, name, fields)
			rows, groups, err := taggedRows(read.apiVersion(), name, fields)
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				m.tagMinors.add(typeName, version.minor)
			}
			m.tagged[typeName], m.groups[typeName] = rows, groups
		}
	}
	return nil
}

// addType adds the fields of a type. Fields of an older version stay.
func (m *merger) addType(version *version, typeName, name string, fields []field) {
	if m.types[typeName] == nil {
		m.types[typeName] = map[string]typeField{}
	}
	for _, field := range fields {
		key := typeName + "." + field.name
		isFirst := len(m.fieldMinors[key]) == 0
		m.fieldMinors.add(key, version.minor)
		m.unsetIfEmpty[key] = (isFirst || m.unsetIfEmpty[key]) && version.isUnsetIfEmpty(field)
		if m.discriminators[name+"."+field.name] {
			values, isComplete := version.values(field)
			for _, value := range values {
				m.valueMinors.add(key+"="+value, version.minor)
			}
			m.complete[key] = isComplete
		}
		var added typeField
		if target, ok := version.target(field.owner, field.imports, field.expr); ok {
			added = typeField{Type: target.typeName, Shape: target.shape}
		}
		added.PatchStrategy, added.MergeKey = field.patchStrategy, field.mergeKey
		for _, marker := range field.markers {
			found := parseTag(marker)
			if added.Shape == "list" && found.name == "listMapKey" {
				added.Keys = append(added.Keys, strings.Trim(found.value, "\""))
			}
		}
		m.types[typeName][field.name] = added
	}
}

// addUnions adds the rows, and the unions of the tags that no row has.
func (m *merger) addUnions(rows []row) error {
	used := map[int]bool{}
	for _, typeName := range sortedKeys(m.apis) {
		api := m.apis[typeName]
		name := typeName[strings.LastIndex(typeName, ".")+1:]
		isServed := len(m.typeMinors[typeName]) > 0
		for i, row := range rows {
			if row.Type != name || !matches(row.API, api) {
				continue
			}
			if !m.servedAPIs[api] {
				m.leftOut.addNotServed("%s %s: no row", api, name)
				continue
			}
			if !isServed {
				m.leftOut.add("%s %s: no kind that a server serves contains the type", api, name)
				continue
			}
			used[i] = true
			if err := m.addRow(typeName, api, row); err != nil {
				return err
			}
		}
		for _, tagged := range m.tagged[typeName] {
			if found := m.find(typeName, tagged.Members); found != nil {
				found.Source = "tag and code"
				continue
			}
			tagged.Since, _ = m.tagMinors.span(typeName, m.oldest, m.newest)
			if err := m.addRow(typeName, api, tagged); err != nil {
				return err
			}
		}
		groups := m.groups[typeName]
		for _, group := range sortedKeys(groups) {
			var members []member
			for _, field := range groups[group] {
				members = append(members, member{Field: field})
			}
			if m.find(typeName, members) == nil {
				m.leftOut.add("%s %s: no row for the fields of oneOf=%s", api, name, group)
			}
		}
	}
	for i, row := range rows {
		if !used[i] {
			return fmt.Errorf("no served kind contains a type for the row of %s %s", row.API, row.Type)
		}
	}
	return nil
}

// find returns the union of a type with these members; nil if there is none.
func (m *merger) find(typeName string, members []member) *union {
	for i := range m.unions {
		if found := &m.unions[i]; found.Type == typeName && sameMembers(found.Members, members) {
			return found
		}
	}
	return nil
}

// addRow adds a row for a type.
func (m *merger) addRow(typeName, api string, row row) error {
	name := row.Type
	added := union{Type: typeName, row: row}
	if row.In != "" {
		added.Place = strings.TrimSuffix(typeName, name) + row.In
		owner, field, _ := strings.Cut(row.In, ".")
		if m.types[strings.TrimSuffix(typeName, name)+owner][field].Type != typeName {
			return fmt.Errorf("%s: %s does not contain %s", api, row.In, name)
		}
	}
	members := row.Members
	if row.MembersOf != "" {
		members = nil
		for _, name := range sortedKeys(m.allFields[strings.TrimSuffix(typeName, name)+row.MembersOf]) {
			described := member{Field: name}
			for _, member := range row.Members {
				if member.Field == name {
					described = member
				}
			}
			members = append(members, described)
		}
	}
	added.Members = nil
	for _, member := range members {
		key := typeName + "." + member.Field
		if len(m.fieldMinors[key]) == 0 {
			m.leftOut.add("%s %s: no field %s", api, name, member.Field)
			continue
		}
		since, until := m.fieldMinors.span(key, m.oldest, m.newest)
		member.Since, member.Until = max(member.Since, since), until
		member.UnsetIfEmpty = m.unsetIfEmpty[key] && !member.SetIfEmpty
		if member.SetIfEmpty && !m.unsetIfEmpty[key] {
			return fmt.Errorf("%s %s.%s is a pointer, so set_if_empty is superfluous", api, name, member.Field)
		}
		member.SetIfEmpty = false
		if member.Value != "" {
			found, err := m.value(typeName, row.Discriminator.Field, member.Value)
			if err != nil {
				return err
			}
			member.Since = max(member.Since, found.Since)
		}
		if member.Until != 0 && member.Since > member.Until {
			m.leftOut.add("%s %s: %s exists since 1.%d and until 1.%d", api, name, member.Field, member.Since, member.Until)
			continue
		}
		added.Members = append(added.Members, member)
	}
	if row.Discriminator != nil {
		described, err := m.discriminator(typeName, api, row)
		if err != nil {
			return err
		}
		added.Discriminator = described
	}
	fields := memberNames(added.Members)
	if len(fields) == 0 {
		m.leftOut.add("%s %s: no member exists", api, name)
		return nil
	}
	if row.Arity == "at most one" && len(fields) == 1 {
		m.leftOut.add("%s %s: %s is the only member, and need not be set", api, name, fields[0])
		return nil
	}
	isNewer := func(member member) bool { return member.Until == 0 || row.Since <= member.Until }
	if !slices.ContainsFunc(added.Members, isNewer) {
		m.leftOut.add("%s %s: the union of %s exists since 1.%d, and the type does not", api, name, strings.Join(fields, ", "), row.Since)
		return nil
	}
	// A version that lacks fields of two rows may have the same members in both.
	if found := m.find(typeName, added.Members); found != nil && found.Place == added.Place {
		m.leftOut.add("%s %s: another row has the members %s", api, name, strings.Join(fields, ", "))
		return nil
	}
	m.unions = append(m.unions, added)
	return nil
}

// discriminator returns the discriminator of a row, with the versions of its values.
func (m *merger) discriminator(typeName, api string, row row) (*discriminator, error) {
	key := typeName + "." + row.Discriminator.Field
	if len(m.fieldMinors[key]) == 0 {
		return nil, fmt.Errorf("%s has no field %s", typeName, row.Discriminator.Field)
	}
	described := *row.Discriminator
	described.UnsetIfEmpty = m.unsetIfEmpty[key]
	described.Empty = nil
	known := map[string]bool{}
	for _, value := range row.Discriminator.Empty {
		known[value.Value] = true
		found, err := m.value(typeName, row.Discriminator.Field, value.Value)
		if err != nil {
			return nil, err
		}
		described.Empty = append(described.Empty, found)
	}
	for _, member := range row.Members {
		known[member.Value] = true
	}
	for _, name := range sortedKeys(m.valueMinors) {
		value, ok := strings.CutPrefix(name, key+"=")
		if ok && m.complete[key] && !known[value] {
			m.leftOut.add("%s %s: the value %q of %s", api, row.Type, value, row.Discriminator.Field)
		}
	}
	return &described, nil
}

// value returns a value of a discriminator, with the versions that have a constant for it.
func (m *merger) value(typeName, field, text string) (value, error) {
	key := typeName + "." + field + "=" + text
	if len(m.valueMinors[key]) == 0 {
		return value{}, fmt.Errorf("no module has a constant for the value %s", key)
	}
	since, until := m.valueMinors.span(key, m.oldest, m.newest)
	return value{Value: text, Since: since, Until: until}, nil
}

// addPlaces gives each field that a row names a type of its own. All rows of the field's type hold
// in the field, too.
func (m *merger) addPlaces() {
	places := map[string]string{} // the type by place
	for _, union := range m.unions {
		if union.Place != "" {
			places[union.Place] = union.Type
		}
	}
	rows := slices.Clone(m.unions)
	for _, place := range sortedKeys(places) {
		typeName := places[place]
		dot := strings.LastIndex(place, ".")
		owner, field := m.types[place[:dot]], place[dot+1:]
		changed := owner[field]
		changed.Type = place
		owner[field] = changed
		m.types[place] = map[string]typeField{}
		for name, field := range m.types[typeName] {
			m.types[place][name] = field
		}
		for _, union := range rows {
			if union.Type == typeName && union.Place == "" {
				union.Place = place
				m.unions = append(m.unions, union)
			}
		}
	}
}

func (m *merger) sortUnions(rows []row) {
	indexOf := func(union union) int {
		return slices.IndexFunc(rows, func(row row) bool {
			return union.API == row.API && union.row.Type == row.Type && union.In == row.In && sameMembers(union.row.Members, row.Members)
		})
	}
	sort.SliceStable(m.unions, func(i, j int) bool {
		first, second := m.unions[i], m.unions[j]
		if first.key() != second.key() {
			return first.key() < second.key()
		}
		return indexOf(first) < indexOf(second)
	})
}

func sameMembers(first, second []member) bool {
	return slices.Equal(slices.Sorted(slices.Values(memberNames(first))), slices.Sorted(slices.Values(memberNames(second))))
}

func memberNames(members []member) []string {
	var names []string
	for _, member := range members {
		names = append(names, member.Field)
	}
	return names
}

// matches returns true if an API is selected by "core/v1" or "core/*".
func matches(pattern, api string) bool {
	group, ok := strings.CutSuffix(pattern, "/*")
	return pattern == api || ok && strings.HasPrefix(api, group+"/")
}

// prune removes the types and kinds from which no union can be reached, and the fields that do not
// lead to a union. A type with a union keeps the names of all its fields.
func (t *table) prune(leftOut *leftOut) {
	hasUnion, leads := map[string]bool{}, map[string]bool{}
	for _, union := range t.unions {
		hasUnion[union.key()], leads[union.key()] = true, true
	}
	for changed := true; changed; {
		changed = false
		for name, fields := range t.types {
			for _, field := range fields {
				if leads[field.Type] && !leads[name] {
					leads[name], changed = true, true
				}
			}
		}
	}
	reached := map[string]bool{}
	var reach func(name string)
	reach = func(name string) {
		if reached[name] || !leads[name] {
			return
		}
		reached[name] = true
		for _, field := range t.types[name] {
			reach(field.Type)
		}
	}
	for key, kind := range t.kinds {
		if !leads[kind.Type] {
			delete(t.kinds, key)
		}
		reach(kind.Type)
	}
	for name, fields := range t.types {
		if !reached[name] {
			delete(t.types, name)
			continue
		}
		for fieldName, field := range fields {
			switch {
			case leads[field.Type]:
			case hasUnion[name]:
				fields[fieldName] = typeField{PatchStrategy: field.PatchStrategy, MergeKey: field.MergeKey}
			default:
				delete(fields, fieldName)
			}
		}
	}
	t.unions = slices.DeleteFunc(t.unions, func(union union) bool {
		if !reached[union.key()] {
			leftOut.add("%s %s: no kind leads to the type", union.API, union.Type)
		}
		return !reached[union.key()]
	})
}
