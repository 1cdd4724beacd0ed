// Package timing times calls, and prints the results as rows for the report of `tests/benches`. It
// is a module of its own, because the programs that need it are in several modules.
package timing

import (
	"encoding/json"
	"io"
	"math"
	"runtime"
	"time"
)

// A Row identifies a measurement. The measurement of our side has the same What, Name and Size.
type Row struct {
	What string `json:"what"`
	Name string `json:"row"`
	// Size is the number of elements, for a row with several sizes.
	Size int `json:"size,omitempty"`
}

// A Cost is the cost of one call.
type Cost struct {
	Ns     float64 `json:"ns"`
	Allocs float64 `json:"allocs"`
}

// Without returns the cost minus the cost of a part.
func (c Cost) Without(part Cost) Cost {
	return Cost{Ns: max(c.Ns-part.Ns, 0), Allocs: max(c.Allocs-part.Allocs, 0)}
}

type line struct {
	Side string `json:"side"`
	Row
	Cost
}

// A Printer times rows and prints them.
type Printer struct {
	effort time.Duration
	out    *json.Encoder
	spent  map[string]bool
}

// patience is the maximum duration of a call after which a larger size is measured. Ten times as
// many elements often take a hundred times as long.
const patience = 300 * time.Millisecond

// New returns a printer that spends this time on each measurement.
func New(out io.Writer, effort time.Duration) *Printer {
	return &Printer{effort: effort, out: json.NewEncoder(out), spent: map[string]bool{}}
}

// IsSpent returns true if a smaller size of the row took too long, so that this size is skipped.
func (p *Printer) IsSpent(row Row) bool {
	return p.spent[row.What+row.Name]
}

// Time prints the cost of one call of do, without the cost of besides, which may be nil.
func (p *Printer) Time(row Row, do, besides func()) error {
	_, err := p.Cost(row, do, besides)
	return err
}

// Cost does the same as Time, and returns the cost.
func (p *Printer) Cost(row Row, do, besides func()) (Cost, error) {
	cost := p.Least(do)
	p.spent[row.What+row.Name] = cost.Ns > float64(patience.Nanoseconds())
	if besides != nil {
		cost = cost.Without(p.Least(besides))
	}
	return cost, p.Print(row, cost)
}

// Print prints a row with a known cost.
func (p *Printer) Print(row Row, cost Cost) error {
	return p.out.Encode(line{Side: "reference", Row: row, Cost: cost})
}

// Least returns the cost in the fastest of many short rounds, because other programs can only
// increase the time. A call that takes a second or more runs once.
func (p *Printer) Least(do func()) Cost {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	do()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	cost := Cost{Ns: float64(took.Nanoseconds()), Allocs: float64(after.Mallocs - before.Mallocs)}
	if took >= time.Second {
		return cost
	}
	// The first call may have filled caches for later calls.
	calls := 0
	runtime.ReadMemStats(&before)
	for start := time.Now(); time.Since(start) < p.effort; {
		inRound, round := 0, time.Now()
		// A round is long enough for the resolution of the clock, and so short that some rounds are
		// not interrupted.
		for time.Since(round) < 2*time.Millisecond {
			do()
			inRound++
		}
		cost.Ns = math.Min(cost.Ns, float64(time.Since(round).Nanoseconds())/float64(inRound))
		calls += inRound
	}
	runtime.ReadMemStats(&after)
	if calls > 0 {
		cost.Allocs = float64(after.Mallocs-before.Mallocs) / float64(calls)
	}
	return cost
}
