package main

import (
	"fmt"
	"strings"
)

// A tag is a marker of declarative validation, such as
// `k8s:alpha(since: "1.36")=+k8s:unionMember(union: "source")`.
type tag struct {
	name string
	// arguments are the texts in parentheses by their names, without quotes. An argument without a
	// name has the name "".
	arguments map[string]string
	// inner is the tag after "=+"; nil if there is none.
	inner *tag
	// value is the text after "=".
	value string
}

// parseTag reads a marker without its plus sign. Spaces have no meaning outside of quotes.
func parseTag(marker string) tag {
	end := strings.IndexAny(marker, "(= \t")
	if end < 0 {
		return tag{name: marker}
	}
	parsed := tag{name: marker[:end], arguments: map[string]string{}}
	rest := strings.TrimSpace(marker[end:])
	if strings.HasPrefix(rest, "(") {
		var arguments string
		arguments, rest = cutUnquoted(rest[1:], ')')
		for arguments != "" {
			var argument string
			argument, arguments = cutUnquoted(arguments, ',')
			name, value := cutUnquoted(argument, ':')
			if value == "" {
				name, value = "", argument
			}
			parsed.arguments[strings.TrimSpace(name)] = strings.Trim(strings.TrimSpace(value), "\"`")
		}
		rest = strings.TrimSpace(rest)
	}
	if value, ok := strings.CutPrefix(rest, "="); ok {
		parsed.value = strings.TrimSpace(value)
		if marker, ok := strings.CutPrefix(parsed.value, "+"); ok {
			inner := parseTag(marker)
			parsed.inner = &inner
		}
	}
	return parsed
}

// cutUnquoted cuts a text at the first separator that is not in quotes.
func cutUnquoted(text string, separator byte) (before, after string) {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch char := text[i]; {
		case quote != 0 && char == quote:
			quote = 0
		case quote == 0 && (char == '"' || char == '`'):
			quote = char
		case quote == 0 && char == separator:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// unionTag returns the tag of a union that a marker has, itself or inside of conditions such as
// `k8s:ifEnabled`. A tag inside of `k8s:item` is about the items of a list, and not about a field.
func unionTag(marker string) (tag, bool) {
	for found := parseTag(marker); ; found = *found.inner {
		switch found.name {
		case "k8s:unionMember", "k8s:zeroOrOneOfMember", "k8s:unionDiscriminator", "oneOf", "zeroOrOneOf":
			return found, true
		}
		if found.name == "k8s:item" || found.inner == nil {
			return tag{}, false
		}
	}
}

// taggedRows returns the unions that the tags of a struct's fields declare, and the groups of fields
// that the tags `oneOf` and `zeroOrOneOf` name. The server does not read the latter, so these groups
// only show that a row is missing.
func taggedRows(api, name string, fields []field) (rows []row, groups map[string][]string, err error) {
	groups = map[string][]string{}
	byUnion := map[string]*row{}
	var order []string
	for _, field := range fields {
		for _, marker := range field.markers {
			found, ok := unionTag(marker)
			if !ok {
				continue
			}
			if found.name == "oneOf" || found.name == "zeroOrOneOf" {
				groups[found.value] = append(groups[found.value], field.name)
				continue
			}
			for argument := range found.arguments {
				if argument != "union" && argument != "memberName" {
					return nil, nil, fmt.Errorf("%s %s.%s: +%s has an unknown argument %q", api, name, field.name, marker, argument)
				}
			}
			union := byUnion[found.arguments["union"]]
			if union == nil {
				union = &row{API: api, Type: name, Arity: "exactly one", Source: "tag"}
				byUnion[found.arguments["union"]] = union
				order = append(order, found.arguments["union"])
			}
			switch found.name {
			case "k8s:unionDiscriminator":
				union.Discriminator = &discriminator{Field: field.name}
				union.Arity = "by discriminator"
			case "k8s:unionMember", "k8s:zeroOrOneOfMember":
				if found.name == "k8s:zeroOrOneOfMember" {
					union.Arity = "at most one"
				}
				if !containsMember(union.Members, field.name) {
					union.Members = append(union.Members, member{Field: field.name, Value: found.arguments["memberName"]})
				}
			default:
				return nil, nil, fmt.Errorf("%s %s.%s: +%s is not supported", api, name, field.name, marker)
			}
		}
	}
	for _, name := range order {
		union := *byUnion[name]
		if union.Discriminator != nil {
			// The modules have no such union yet. A member without a name has the name of its Go
			// field, which is not read.
			return nil, nil, fmt.Errorf("%s %s: a row by hand must describe the tagged union with a discriminator", api, union.Type)
		}
		rows = append(rows, union)
	}
	return rows, groups, nil
}

func containsMember(members []member, name string) bool {
	for _, member := range members {
		if member.Field == name {
			return true
		}
	}
	return false
}
