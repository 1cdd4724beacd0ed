// Package timing times calls, and prints what they take as rows for the report of `tests/benches`. It is a module of its
// own, as the programs that need it are not all of one.
package timing

import (
	"encoding/json"
	"io"
	"math"
	"runtime"
	"time"
)

// A Row names what is timed, in the words of our side, which times the same.
type Row struct {
	What string `json:"what"`
	Name string `json:"row"`
	// Size is how many elements there are, of what grows.
	Size int `json:"size,omitempty"`
}

// A Cost is what one call takes.
type Cost struct {
	Ns     float64 `json:"ns"`
	Allocs float64 `json:"allocs"`
}

// Without is what is left without a part.
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

// patience is how long one call may take for ten times as many elements to be tried: often that takes a hundred times as
// long.
const patience = 300 * time.Millisecond

// New is a printer that spends so much time on each measurement.
func New(out io.Writer, effort time.Duration) *Printer {
	return &Printer{effort: effort, out: json.NewEncoder(out), spent: map[string]bool{}}
}

// IsSpent says whether a smaller size of the row took too long for this one to be tried.
func (p *Printer) IsSpent(row Row) bool {
	return p.spent[row.What+row.Name]
}

// Time prints what one call of do takes, without what besides takes of it, which may be nil.
func (p *Printer) Time(row Row, do, besides func()) error {
	_, err := p.Cost(row, do, besides)
	return err
}

// Cost is Time, which tells its caller too.
func (p *Printer) Cost(row Row, do, besides func()) (Cost, error) {
	cost := p.Least(do)
	p.spent[row.What+row.Name] = cost.Ns > float64(patience.Nanoseconds())
	if besides != nil {
		cost = cost.Without(p.Least(besides))
	}
	return cost, p.Print(row, cost)
}

// Print prints a row whose cost is known.
func (p *Printer) Print(row Row, cost Cost) error {
	return p.out.Encode(line{Side: "reference", Row: row, Cost: cost})
}

// Least is the fastest of many short rounds: other programs only make it slower. What takes a second or more runs once.
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
	// The first call may have made what later ones find.
	calls := 0
	runtime.ReadMemStats(&before)
	for start := time.Now(); time.Since(start) < p.effort; {
		inRound, round := 0, time.Now()
		// Long enough for the clock, and short enough to be left alone by other programs now and then.
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
