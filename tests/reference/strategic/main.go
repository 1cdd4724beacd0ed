// The reference for k8s-strategic-merge-patch: k8s.io/apimachinery's strategicpatch creates,
// applies and composes patches.
//
// It reads JSON lines from stdin, and writes a result for each line. The first kind of line sets
// the schema of the lines after it: the schema Root of an OpenAPI document, or the schema of a Go
// type of the API. The result is {}.
//
//	{"use": {"v2": <document>}}, {"use": {"v3": <document>}}, {"use": {"type": "Deployment"}}
//
// The other kind of line runs all operations, or only the operation "only". Each operation runs
// "repeat" times (by default once), because its result may depend on the random order of Go's maps.
// Equal results of an operation are printed once:
//
//	{"original": ..., "modified": ..., "current": ..., "patch": ..., "patches": [...], "only": "diff", "repeat": 1}
//	    ->  {"diff": [...], "three_way": [...], "overwrite": [...], "apply": [...], "compose": [...]}
//
// Each result of an operation is {"ok": ...}, {"error": text}, {"conflict": text} or
// {"panic": text}. The operation "apply" applies "patch" to "current".
//
// Other modes: `-schemas` prints the schemas of the Go types as one OpenAPI v3 document; `-bench`
// times operations on the workloads that it reads, as `tests/benches/compared` writes them, and
// prints a line of JSON for each.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"union-reference/lines"
)

func main() {
	schemas := flag.Bool("schemas", false, "print the schemas of the Go types")
	bench := flag.Bool("bench", false, "time operations on growing lists")
	effort := flag.Duration("effort", time.Second, "how long each of them is timed")
	flag.Parse()
	var err error
	switch {
	case *schemas:
		err = printSchemas(os.Stdout)
	case *bench:
		err = benchmark(os.Stdin, os.Stdout, *effort)
	default:
		err = answerAll(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answerAll processes all lines, one after the other.
func answerAll(in io.Reader, out io.Writer) error {
	var asked asker
	return lines.Answer(in, out, func(q *question) (any, error) { return asked.answer(q) })
}
