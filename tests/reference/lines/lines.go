// Package lines reads JSON lines, and writes a result for each line.
package lines

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Answer calls answer with each line, and writes the result before it reads the next line, so that
// a caller may wait for the result.
func Answer[Question, Found any](in io.Reader, out io.Writer, answer func(*Question) (Found, error)) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var asked Question
			if err := utiljson.Unmarshal(line, &asked); err != nil {
				return fmt.Errorf("line %d is no question: %w", number, err)
			}
			found, err := answer(&asked)
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			if err := encoder.Encode(found); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
