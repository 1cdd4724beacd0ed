package main

import (
	"encoding/json"
	"io"
	"runtime"
	"time"

	"union-reference/crds"
)

// held is a line of input: schemas that are kept in memory at the same time. Each schema is a
// version of a CRD.
type held struct {
	What    string `json:"what"`
	Name    string `json:"row"`
	Schemas []struct {
		CRD     string `json:"crd"`
		Version string `json:"version"`
	} `json:"schemas"`
}

// benchmarkHeld prints the heap size of compiled schemas, and the time to compile them.
func benchmarkHeld(in io.Reader, out io.Writer) error {
	encoder := json.NewEncoder(out)
	for decoder := json.NewDecoder(in); ; {
		var asked held
		if err := decoder.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		before := live()
		start := time.Now()
		var resources []*resource
		for _, schema := range asked.Schemas {
			crd, err := crds.Read([]byte(schema.CRD))
			if err != nil {
				return err
			}
			resource, err := served(crd, schema.Version)
			if err != nil {
				return err
			}
			resources = append(resources, resource)
		}
		took := time.Since(start)
		after := live()
		runtime.KeepAlive(resources)
		for _, row := range []map[string]any{
			{"row": asked.Name + ", memory", "bytes": after - before},
			{"row": asked.Name + ", start-up", "ns": took.Nanoseconds()},
		} {
			row["side"], row["what"] = "reference", asked.What
			if err := encoder.Encode(row); err != nil {
				return err
			}
		}
	}
}

// live returns the number of bytes of the heap that are in use.
func live() uint64 {
	// The first collection runs finalizers, and the second frees their values.
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
