// The reference for the unions of union-runtime: Kubernetes' code for unions.
//
//   - sigs.k8s.io/structured-merge-diff/v4 v4.2.3, the last version with unions: normalization and server-side apply
//   - k8s.io/apimachinery pkg/api/validate: validation of in-tree unions
//   - k8s.io/kube-openapi pkg/schemaconv: conversion of schemas with x-kubernetes-unions in the 2019 shape
//
// It reads JSON lines from stdin, in one of these forms, and writes one result per line, in the
// same order:
//
//	{"subject": "schema", "name": "s1", "deduce": true, "schema": <OpenAPI v2 schema>}
//	    ->  {} or {"error": "..."}; later lines refer to the schema by its name
//	{"subject": "smd-normalize", "schema": "s1", "old": <object>|null, "new": <object>}
//	    ->  {"object": <object>} or {"error": "..."}
//	{"subject": "smd-apply", "schema": "s1", "live": <object>|null, "applied": <object>}
//	    ->  {"merged": <object>, "object": <object>} or {"merged": <object>, "error": "..."}
//	{"subject": "validate-union"|"validate-discriminated"|"validate-zero-or-one", "path": ["spec", 1, {"key": "a"}],
//	 "discriminator": "type", "members": [{"name": "a", "value": "A"}], "update": true, "old": <object>|null, "new": <object>}
//	    ->  {"errors": [{"type": "...", "field": "...", "value": "...", "detail": "...", "text": "..."}]}
//
// With "deduce", a discriminator gets the value of the set member (DeduceInvalidDiscriminator). No
// conversion of schemas sets this flag, so the line sets it.
//
// Another mode: `-bench` times the code on the workloads that it reads, as `tests/benches/compared`
// writes them, and prints a line of JSON for each.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// A subject is the part of a question that selects the code.
type subject struct {
	Subject string `json:"subject"`
}

func main() {
	bench := flag.Bool("bench", false, "time unions on workloads")
	effort := flag.Duration("effort", time.Second, "how long each of them is timed")
	flag.Parse()
	if *bench {
		if err := benchmark(os.Stdin, os.Stdout, *effort); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	// Nearly all memory is garbage. With fewer collections, a run takes half the time.
	debug.SetGCPercent(800)
	if err := answerAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answerAll(in io.Reader, out io.Writer) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, 1<<20), 1<<26)
	buffered := bufio.NewWriter(out)
	defer buffered.Flush()
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	schemas := schemas{}
	for scanner.Scan() {
		answer, err := answerOne(schemas, scanner.Bytes())
		if err != nil {
			return fmt.Errorf("%s: %w", scanner.Text(), err)
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
	if err := scanner.Err(); err != nil {
		return err
	}
	return buffered.Flush()
}

func answerOne(schemas schemas, line []byte) (any, error) {
	asked, err := read[subject](line)
	if err != nil {
		return nil, err
	}
	switch asked.Subject {
	case "schema":
		return answerAs(line, schemas.add)
	case "smd-normalize":
		return answerAs(line, schemas.normalize)
	case "smd-apply":
		return answerAs(line, schemas.apply)
	case "validate-union", "validate-discriminated", "validate-zero-or-one":
		return answerAs(line, validateUnion)
	}
	return nil, fmt.Errorf("unknown subject %q", asked.Subject)
}

func answerAs[Q, A any](line []byte, answer func(*Q) (A, error)) (any, error) {
	question, err := read[Q](line)
	if err != nil {
		return nil, err
	}
	return answer(question)
}

// read decodes a line. Integers are decoded as integers, not as floats, as by the API server.
func read[Q any](line []byte) (*Q, error) {
	question := new(Q)
	if err := utiljson.Unmarshal(line, question); err != nil {
		return nil, err
	}
	return question, nil
}
