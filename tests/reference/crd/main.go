// The reference for k8s-crd-validation: the code of the real API server
// (k8s.io/apiextensions-apiserver) validates custom resources and CRDs.
//
// It reads JSON lines from stdin, and writes a result for each line:
//
//	{"op": "create|update|status|crd", "schema": <openAPIV3Schema>, "old": ..., "new": ...}
//	    ->  {"object": ..., "errors": [{"type", "field", "text"}], "warnings": [...]}
//	{"use": {"crd": <CustomResourceDefinition>, "version": "v1"}}
//	    ->  {}, or {"errors": [...]} about the CRD itself
//	{"use": {"schema": <openAPIV3Schema>, "status_subresource": true}}
//	    ->  {}, or {"errors": [...]} about the schema itself
//	{"use": {..., "stored": true}}
//	    ->  {}, or {"errors": [...]} if a server with this stored CRD cannot serve it
//
// A line with "use" sets the schema of the lines after it. A line can also have its own schema,
// which itself is not validated. "op": "crd" validates "crd" or "schema" (with
// "status_subresource") as a new CRD. If an object lacks apiVersion, kind or metadata, constants
// are added before validation and removed from the result.
//
//	{"op": ..., "old": ..., "body": {"text": "kind: ...", "type": "application/yaml", "field_validation": "Strict"}}
//
// A "body" is sent to the server's handler of creates or updates, in place of "new" or "crd". The
// result then also has the warnings and errors of the decoder. For a line with "new" and
// "field_validation": "Warn", the result has a warning for each unknown field.
//
// Other modes:
//
//   - `-cases FILE...` runs cases with known results (tables.go), and prints wrong results.
//   - `-bench [DIR]` times the validation of objects of several sizes, and of the objects in DIR.
//   - `-webhook` times whole admission reviews.
//   - `-held` prints the heap size of compiled schemas.
//   - `-tighten OLD NEW` validates objects from stdin by old and new CRDs, on `-workers` goroutines.
//   - `-documents DIR` prints the YAML files of the folder as JSON lines.
//   - `-fields` prints the JSON names and types of all fields of a CRD.
//
// For `-bench`, `-webhook` and `-held`, `tests/benches/compared` writes the input.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"

	"union-reference/lines"
)

func main() {
	cases := flag.Bool("cases", false, "run the case tables in the files named")
	read := flag.String("documents", "", "print the YAML documents in this `folder` as JSON lines")
	bench := flag.Bool("bench", false, "time the validation of objects of several sizes from stdin, and of the objects in the given folder")
	fields := flag.Bool("fields", false, "print the fields of a CRD, struct by struct")
	hold := flag.Bool("held", false, "print the heap size of the compiled schemas from stdin")
	tightens := flag.Bool("tighten", false, "count the objects from stdin that the new CRDs reject: needs the files of the old and of the new CRDs")
	workers := flag.Int("workers", 1, "the number of goroutines of -tighten")
	webhook := flag.Bool("webhook", false, "time the admission reviews from stdin")
	effort := flag.Duration("effort", time.Second, "how long each kind of request is timed")
	flag.Parse()
	// The handlers would log an error for each decoded body, because there is no storage.
	utilruntime.ErrorHandlers = nil
	// The server's code would log errors that the results contain.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	var err error
	switch {
	case *cases:
		err = checkTables(context.Background(), flag.Args())
	case *read != "":
		err = printDocuments(*read, os.Stdout)
	case *fields:
		err = printFields(os.Stdout)
	case *hold:
		err = benchmarkHeld(os.Stdin, os.Stdout)
	case *tightens && flag.NArg() == 2:
		err = tighten(context.Background(), flag.Arg(0), flag.Arg(1), *workers, os.Stdin, os.Stdout)
	case *webhook:
		err = benchmarkWebhook(context.Background(), os.Stdin, os.Stdout, *effort)
	case *bench:
		err = benchmark(context.Background(), flag.Arg(0), os.Stdin, os.Stdout, *effort)
	default:
		err = answerAll(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answerAll processes all lines, one after the other.
func answerAll(ctx context.Context, in io.Reader, out io.Writer) error {
	judge := newJudge()
	return lines.Answer(in, out, func(q *question) (any, error) { return judge.answer(ctx, q) })
}
