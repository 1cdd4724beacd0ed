package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apiserver/pkg/cel/library"
)

func base64Standard(text, _ string) ([]string, error) {
	return bytes(base64.StdEncoding, text)
}

func base64URL(text, _ string) ([]string, error) {
	return bytes(base64.URLEncoding, text)
}

func bytes(encoding *base64.Encoding, text string) ([]string, error) {
	found, err := encoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	return []string{hex.EncodeToString(found), base64.StdEncoding.EncodeToString(found)}, nil
}

func float(text, _ string) ([]string, error) {
	found, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, err
	}
	return []string{bits(found)}, nil
}

func bits(number float64) string {
	if math.IsNaN(number) {
		return "NaN"
	}
	return fmt.Sprintf("%016x", math.Float64bits(number))
}

// floatPrinted returns the strings of the float with these bits: in JSON, in field errors, and
// without an exponent.
func floatPrinted(text, _ string) ([]string, error) {
	found, err := strconv.ParseUint(text, 16, 64)
	if err != nil {
		return nil, err
	}
	number := math.Float64frombits(found)
	inJSON, err := json.Marshal(number)
	if err != nil {
		return nil, err
	}
	return []string{
		string(inJSON), strconv.FormatFloat(number, 'g', -1, 64), strconv.FormatFloat(number, 'f', -1, 64), fmt.Sprint(int64(number)),
	}, nil
}

func quantity(text, _ string) ([]string, error) {
	found, err := resource.ParseQuantity(text)
	if err != nil {
		return nil, err
	}
	whole := "none"
	if number, ok := found.AsInt64(); ok {
		whole = fmt.Sprint(number)
	}
	return []string{found.String(), whole, fmt.Sprint(found.Sign()), bits(found.AsApproximateFloat64())}, nil
}

// quantities compares two quantities, and computes with them.
func quantities(text, other string) ([]string, error) {
	one, err := resource.ParseQuantity(text)
	if err != nil {
		return nil, err
	}
	two, err := resource.ParseQuantity(other)
	if err != nil {
		return nil, err
	}
	sum, difference := one.DeepCopy(), one.DeepCopy()
	order := one.Cmp(two)
	sum.Add(two)
	difference.Sub(two)
	return []string{fmt.Sprint(order), sum.String(), difference.String()}, nil
}

func version(text, _ string) ([]string, error) {
	return numbers(semver.Parse(text))
}

// normalizing is a CEL program that normalizes a version. The function of the library is not
// exported, so only CEL can call it.
var normalizing = sync.OnceValues(func() (cel.Program, error) {
	env, err := cel.NewEnv(library.SemverLib(library.SemverVersion(1)), cel.Variable("text", cel.StringType))
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile("semver(text, true)")
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return env.Program(checked)
})

func versionNormalized(text, _ string) ([]string, error) {
	program, err := normalizing()
	if err != nil {
		return nil, err
	}
	found, _, err := program.Eval(map[string]any{"text": text})
	if err != nil {
		return nil, err
	}
	return numbers(found.Value().(semver.Version), nil)
}

func numbers(found semver.Version, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprint(found.Major), fmt.Sprint(found.Minor), fmt.Sprint(found.Patch), found.String()}, nil
}

func versions(text, other string) ([]string, error) {
	one, err := semver.Parse(text)
	if err != nil {
		return nil, err
	}
	two, err := semver.Parse(other)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprint(one.Compare(two))}, nil
}

// quoted returns a string with quotes: as in error messages, and in JSON.
func quoted(text, _ string) ([]string, error) {
	inJSON, err := json.Marshal(text)
	return []string{strconv.Quote(text), string(inJSON)}, err
}

// isNew returns true if a string has characters that Go's version of Unicode (15) does not define.
func isNew(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cn, r) })
}

func dnsLabel(text, _ string) ([]string, error) {
	return named(validation.IsDNS1123Label(text))
}

func dnsSubdomain(text, _ string) ([]string, error) {
	return named(validation.IsDNS1123Subdomain(text))
}

func named(wrong []string) ([]string, error) {
	if len(wrong) > 0 {
		return nil, errors.New(wrong[0])
	}
	return []string{"name"}, nil
}
