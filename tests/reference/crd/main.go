// The reference for k8s-crd-validation: the code of the real API server
// (k8s.io/apiextensions-apiserver) validates custom resources and CRDs.
//
// It reads JSON lines from stdin, and writes a result for each line:
//
//	{"op": "create|update|status|crd", "schema": <openAPIV3Schema>, "old": ..., "new": ...}
//	    ->  {"object": ..., "errors": [{"type", "field", "text"}], "warnings": [...]}
//	{"use": {"crd": <CustomResourceDefinition>, "version": "v1"}}           ->  {}, or {"errors": [...]} of its lint
//	{"use": {"schema": <openAPIV3Schema>, "status_subresource": true}}      ->  the same
//	{"use": {..., "stored": true}}                                          ->  the same, without the lint
//
// A use line sets the schema of the lines after it. A line can also have its own schema, which is
// not linted. `op: crd` is the lint of "crd" or of "schema" (with "status_subresource"). An object
// without an apiVersion, kind or metadata gets constants, which are removed from the result.
//
//	{"op": ..., "old": ..., "body": {"text": "kind: ...", "type": "application/yaml", "field_validation": "Strict"}}
//
// A body is sent to the server's handler of creates or updates, in place of "new" or "crd". The
// answer has the warnings and errors of decoding too. With "field_validation": "Warn" beside "new",
// there is a warning for each unknown field.
//
// Other modes:
//
//   - `-cases FILE...` runs the shared case tables, and prints wrong results.
//   - `-bench [DIR]` times the validation of objects of several sizes, and of the Gateway objects in the
//     folder.
//   - `-webhook` times whole admission reviews.
//   - `-held` prints the heap size of compiled schemas.
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
	webhook := flag.Bool("webhook", false, "time the admission reviews from stdin")
	effort := flag.Duration("effort", time.Second, "how long each kind of request is timed")
	flag.Parse()
	// The handlers log an error for each body that they have decoded, because no storage follows.
	utilruntime.ErrorHandlers = nil
	// The server logs each error that it finds several times.
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

// answerAll processes all queries, one after the other.
func answerAll(ctx context.Context, in io.Reader, out io.Writer) error {
	judge := newJudge()
	return lines.Answer(in, out, func(q *question) (any, error) { return judge.answer(ctx, q) })
}
