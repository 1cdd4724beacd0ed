// The reference for union-runtime's feature `patch`: k8s.io/apimachinery's strategicpatch makes, applies and composes
// patches.
//
// It reads JSON lines from stdin and answers each with a line. The first kind says which schema the lines after it are
// for, an OpenAPI document whose schema Root is meant, or a Go type of the API; the answer is {}:
//
//	{"use": {"v2": <document>}}, {"use": {"v3": <document>}}, {"use": {"type": "Deployment"}}
//
// The other kind has all operations at once, or only the one that is named, each done so many times (once if it is not
// said), as much of what the code does depends on the order of Go's maps. The answers of an operation are those that differ:
//
//	{"original": ..., "modified": ..., "current": ..., "patch": ..., "patches": [...], "only": "diff", "repeat": 1}
//	    ->  {"diff": [...], "three_way": [...], "overwrite": [...], "apply": [...], "compose": [...]}
//
// An answer is {"ok": ...}, {"error": text}, {"conflict": text} or {"panic": text}. Apply is of patch to current.
//
// Other modes: `-schemas` prints the schemas of the Go types as one OpenAPI v3 document; `-bench` times operations on
// the workloads that it reads, as `tests/benches/compared` writes them, and prints a line of JSON for each.
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

// answerAll answers question by question.
func answerAll(in io.Reader, out io.Writer) error {
	var asked asker
	return lines.Answer(in, out, func(q *question) (any, error) { return asked.answer(q) })
}
