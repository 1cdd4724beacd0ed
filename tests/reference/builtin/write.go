package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
)

// write prints the table as JSON, with a line for each kind, type and union.
func (t *table) write(out io.Writer) error {
	buffer := bufio.NewWriter(out)
	fmt.Fprintf(buffer, "{\n\"oldest\":%d,\n\"newest\":%d,\n\"kinds\":[", t.oldest, t.newest)
	if err := writeLines(buffer, sortedKeys(t.kinds), func(key string) any { return t.kinds[key] }, false); err != nil {
		return err
	}
	fmt.Fprint(buffer, "],\n\"types\":{")
	if err := writeLines(buffer, sortedKeys(t.types), func(key string) any { return t.types[key] }, true); err != nil {
		return err
	}
	fmt.Fprint(buffer, "},\n\"unions\":[")
	for i, union := range t.unions {
		if i > 0 {
			fmt.Fprint(buffer, ",")
		}
		// The columns that select types are not part of the output.
		line, err := json.Marshal(struct {
			Type          string         `json:"type"`
			Place         string         `json:"place,omitempty"`
			Discriminator *discriminator `json:"discriminator,omitempty"`
			Members       []member       `json:"members"`
			Arity         string         `json:"arity"`
			DefaultMember string         `json:"default_member,omitempty"`
			Unenforced    []string       `json:"unenforced,omitempty"`
			Since         int            `json:"since,omitempty"`
			Source        string         `json:"source"`
		}{union.Type, union.Place, union.Discriminator, union.Members, union.Arity, union.DefaultMember, union.Unenforced, union.Since, union.Source})
		if err != nil {
			return err
		}
		fmt.Fprintf(buffer, "\n%s", line)
	}
	fmt.Fprint(buffer, "\n]\n}\n")
	return buffer.Flush()
}

func writeLines(out io.Writer, keys []string, value func(string) any, named bool) error {
	for i, key := range keys {
		line, err := json.Marshal(value(key))
		if err != nil {
			return err
		}
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		if named {
			fmt.Fprintf(out, "\n%q:%s", key, line)
		} else {
			fmt.Fprintf(out, "\n%s", line)
		}
	}
	fmt.Fprint(out, "\n")
	return nil
}

func sortedKeys[V any](table map[string]V) []string {
	keys := make([]string, 0, len(table))
	for key := range table {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
