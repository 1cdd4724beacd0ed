package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"union-reference/crds"
)

// batchLines is the number of lines that a goroutine receives at once.
const batchLines = 64

// counts are the numbers of objects, and of objects that the new schema rejects.
type counts struct {
	Objects   int `json:"objects"`
	Creates   int `json:"refused_on_create"`
	Unrelated int `json:"refused_on_unrelated_update"`
}

// tightener has the resources of the old and of the new CRDs, by the kinds of their objects.
type tightener struct {
	old, new map[schema.GroupVersionKind]*resource
}

// tighten validates the objects in the lines of in: a create by the old and by the new CRDs, which
// are lines of files, and an update by the new CRDs that adds an annotation. The given number of
// goroutines validate objects. The memory does not grow with the number of objects.
func tighten(ctx context.Context, oldFile, newFile string, workers int, in io.Reader, out io.Writer) error {
	var by tightener
	var err error
	if by.old, err = readResources(oldFile); err != nil {
		return err
	}
	if by.new, err = readResources(newFile); err != nil {
		return err
	}
	batches := make(chan [][]byte, 4*workers)
	results := make(chan counts, workers)
	failures := make(chan error, workers)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			var sum counts
			for batch := range batches {
				for _, line := range batch {
					if err := by.add(ctx, line, &sum); err != nil {
						failures <- err
						// The reader must not wait for a full channel.
						for range batches {
						}
						return
					}
				}
			}
			results <- sum
		})
	}
	readErr := readBatches(in, batches)
	close(batches)
	running.Wait()
	close(results)
	close(failures)
	if err := <-failures; err != nil {
		return err
	}
	if readErr != nil {
		return readErr
	}
	var sum counts
	for each := range results {
		sum.Objects += each.Objects
		sum.Creates += each.Creates
		sum.Unrelated += each.Unrelated
	}
	return json.NewEncoder(out).Encode(sum)
}

func readBatches(in io.Reader, batches chan<- [][]byte) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	var batch [][]byte
	for {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			batch = append(batch, line)
		}
		if len(batch) == batchLines || err != nil {
			batches <- batch
			batch = nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readResources returns the storage versions of the CRDs in the lines of a file.
func readResources(file string) (map[schema.GroupVersionKind]*resource, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	all := map[schema.GroupVersionKind]*resource{}
	for line := range bytes.Lines(text) {
		crd, err := crds.Read(line)
		if err != nil {
			return nil, err
		}
		resource, err := served(crd, "")
		if err != nil {
			return nil, err
		}
		all[resource.kind] = resource
	}
	return all, nil
}

func (t *tightener) add(ctx context.Context, line []byte, sum *counts) error {
	var object map[string]any
	if err := utiljson.Unmarshal(line, &object); err != nil {
		return err
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	old, new := t.old[gvk], t.new[gvk]
	if old == nil || new == nil {
		return fmt.Errorf("no CRD for %s", gvk)
	}
	sum.Objects++
	if _, err := old.create(ctx, runtime.DeepCopyJSON(object), false); err != nil {
		return err
	}
	created, err := new.create(ctx, runtime.DeepCopyJSON(object), false)
	if err != nil {
		return err
	}
	if len(created.Errors) > 0 {
		sum.Creates++
	}
	changed := runtime.DeepCopyJSON(object)
	if metadata, ok := changed["metadata"].(map[string]any); ok {
		annotations, _ := metadata["annotations"].(map[string]any)
		if annotations == nil {
			annotations = map[string]any{}
			metadata["annotations"] = annotations
		}
		annotations["example.com/unrelated"] = "yes"
	}
	updated, err := new.update(ctx, new.main, changed, object, false)
	if err != nil {
		return err
	}
	if len(updated.Errors) > 0 {
		sum.Unrelated++
	}
	return nil
}
