package main

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// render returns a value as a string that also shows its type, so that different values have
// different strings. ../expression_cases compares these strings.
func render(value ref.Val) string {
	switch value := value.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return fmt.Sprint(bool(value))
	case types.Int:
		return fmt.Sprint(int64(value))
	case types.Uint:
		return fmt.Sprintf("%du", uint64(value))
	case types.Double:
		return double(float64(value))
	case types.String:
		return quote(string(value))
	case types.Bytes:
		return fmt.Sprintf("b(%x)", []byte(value))
	case types.Timestamp:
		return "timestamp(" + value.Format(time.RFC3339Nano) + ")"
	case types.Duration:
		return fmt.Sprintf("duration(%d)", int64(value.Duration))
	case *types.Optional:
		if !value.HasValue() {
			return "none"
		}
		return "some(" + render(value.GetValue()) + ")"
	case ref.Type:
		return "type(" + named(value.TypeName()) + ")"
	case traits.Lister:
		return list(value)
	case traits.Mapper:
		return entries(value)
	}
	return opaque(value)
}

func double(value float64) string {
	if math.IsNaN(value) {
		return "double(nan)"
	}
	return fmt.Sprintf("double(%016x)", math.Float64bits(value))
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func list(value traits.Lister) string {
	parts := []string{}
	for each := value.Iterator(); each.HasNext() == types.True; {
		parts = append(parts, render(each.Next()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// entries returns the entries of a map in sorted order, because the order of a Go map is random.
func entries(value traits.Mapper) string {
	parts := []string{}
	for each := value.Iterator(); each.HasNext() == types.True; {
		key := each.Next()
		parts = append(parts, render(key)+": "+render(value.Get(key)))
	}
	sort.Strings(parts)
	return "{" + strings.Join(parts, ", ") + "}"
}

// renderers return the strings of values whose types not all versions of Kubernetes have. They
// return false for values of other types.
var renderers []func(ref.Val) (string, bool)

// opaque returns the string of a value that a Kubernetes function created, such as a quantity.
func opaque(value ref.Val) string {
	for _, render := range renderers {
		if rendered, is := render(value); is {
			return rendered
		}
	}
	switch value := value.(type) {
	case apiservercel.URL:
		return "url(" + quote(value.String()) + ")"
	case apiservercel.Quantity:
		return "quantity(" + decimal(value) + ")"
	case *apiservercel.Quantity:
		return "quantity(" + decimal(*value) + ")"
	case *types.Err:
		return "error(" + named(value.Error()) + ")"
	}
	return fmt.Sprintf("%T(%v)", value, value)
}

// decimal returns a number with all digits, without an exponent and without trailing zeros.
func decimal(value apiservercel.Quantity) string {
	exact := value.DeepCopy()
	text := exact.AsDec().String()
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
