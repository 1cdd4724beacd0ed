//! Measures the time and the instructions of rows.

use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::row::{OVERHEAD, PreparedRow, Row, WORK};

/// The largest size whose instructions are counted. Larger sizes take too long under valgrind.
const MAX_COUNTED_SIZE: usize = 10_000;

/// A row whose instructions are counted later.
struct CountJob {
    row_id: String,
    objects: usize,
    rounds: usize,
    has_overhead: bool,
}

/// Measures rows and prints them as lines of JSON. Time is measured first, without other work in
/// parallel. Instructions are counted in parallel, for at most `max_counted_rows` rows.
pub(crate) fn print(rows: &[Row], duration_per_row: Duration, max_counted_rows: usize) {
    let mut count_jobs = Vec::new();
    for sides in rows.chunk_by(Row::is_other_side_of) {
        let prepared: Vec<PreparedRow> = sides.iter().map(Row::prepare).collect();
        for (row, measured) in sides.iter().zip(measure(prepared, duration_per_row)) {
            let MeasuredRow {
                objects,
                has_overhead,
                ns,
            } = measured;
            eprintln!("{}: {ns:.0} ns", row.id());
            if row.size <= Some(MAX_COUNTED_SIZE) {
                count_jobs.push(CountJob {
                    row_id: row.id(),
                    objects,
                    rounds: rounds_to_count(objects, ns),
                    has_overhead,
                });
            }
            let mut line = row.key();
            line["ns"] = json!(ns);
            println!("{line}");
        }
    }
    count_jobs.truncate(max_counted_rows);
    for (id, instructions) in count_all(&count_jobs) {
        let row = rows.iter().find(|row| row.id() == id);
        let mut line = row.map_or(json!({}), Row::key);
        line["instructions"] = json!(instructions);
        println!("{line}");
    }
}

/// A row after the measurement of its time.
struct MeasuredRow {
    objects: usize,
    has_overhead: bool,
    /// The nanoseconds of one object.
    ns: f64,
}

/// Measures rows in turns, so that a temporary slowdown of the machine affects all rows. The
/// fastest round of each row counts.
fn measure(mut rows: Vec<PreparedRow>, duration_per_row: Duration) -> Vec<MeasuredRow> {
    let mut times: Vec<RowTime> = rows.iter().map(|_| RowTime::default()).collect();
    let total_duration = duration_per_row * u32::try_from(rows.len()).expect("few rows");
    let start = Instant::now();
    while start.elapsed() < total_duration {
        for (row, time) in rows.iter_mut().zip(&mut times) {
            time.ns = time.ns.min(measure_round(row.objects, &mut row.work));
            if let Some(overhead) = &mut row.overhead {
                time.overhead_ns = time.overhead_ns.min(measure_round(row.objects, overhead));
            }
        }
    }
    rows.iter()
        .zip(times)
        .map(|(row, RowTime { ns, overhead_ns })| {
            let ns = match row.overhead {
                None => ns,
                Some(_) if ns > overhead_ns => ns - overhead_ns,
                // A measurement that is too short has no meaning. NaN becomes null in JSON.
                Some(_) => f64::NAN,
            };
            MeasuredRow {
                objects: row.objects,
                has_overhead: row.overhead.is_some(),
                ns,
            }
        })
        .collect()
}

/// The nanoseconds of the fastest round so far.
struct RowTime {
    ns: f64,
    overhead_ns: f64,
}

impl Default for RowTime {
    fn default() -> Self {
        Self {
            ns: f64::INFINITY,
            overhead_ns: f64::INFINITY,
        }
    }
}

/// Returns the nanoseconds of a call, measured over one round. A round is long enough for the
/// precision of the clock, and short enough that some rounds run without an interruption by other
/// programs.
fn measure_round(objects: usize, mut work: impl FnMut(usize)) -> f64 {
    let (mut calls, start) = (0, Instant::now());
    loop {
        (0..objects).for_each(&mut work);
        calls += objects as u64;
        let duration = start.elapsed();
        if duration > Duration::from_millis(2) {
            return duration.as_secs_f64() * 1e9 / to_f64(calls);
        }
    }
}

/// Returns the number of rounds to count. Cheap rows need many rounds, because the setup differs by
/// some thousands of instructions from run to run, for example by hash tables with random seeds.
fn rounds_to_count(objects: usize, ns: f64) -> usize {
    const COUNTED_NS: f64 = 1e6;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between the two"
    )]
    let rounds = (COUNTED_NS / (ns * to_f64(objects as u64))).clamp(1.0, 40.0) as usize;
    rounds.max(1)
}

/// Counts the instructions of rows. Without valgrind, the result is empty.
fn count_all(jobs: &[CountJob]) -> Vec<(&str, f64)> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("no instructions: valgrind is missing");
        return Vec::new();
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next_job = AtomicUsize::new(0);
    let work = || {
        let mut ids_and_counts = Vec::new();
        while let Some(job) = jobs.get(next_job.fetch_add(1, Ordering::Relaxed)) {
            let id = job.row_id.as_str();
            let total = count(id, WORK, job.objects, job.rounds);
            let overhead = if job.has_overhead {
                count(id, OVERHEAD, job.objects, job.rounds)
            } else {
                Some(0.0)
            };
            if let (Some(total), Some(overhead)) = (total, overhead) {
                ids_and_counts.push((id, total - overhead));
            }
        }
        ids_and_counts
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let ids_and_counts = workers
            .into_iter()
            .map(|worker| worker.join().expect("the thread finishes"));
        ids_and_counts.flatten().collect()
    })
}

/// Counts the instructions of one object, as the difference of two runs under valgrind, one with
/// `rounds` more rounds.
fn count(id: &str, part: &str, objects: usize, rounds: usize) -> Option<f64> {
    let count_run = |times: usize| -> Option<u64> {
        let output = Command::new("valgrind")
            .args([
                "--tool=cachegrind",
                "--cache-sim=no",
                "--cachegrind-out-file=/dev/null",
            ])
            .arg(env::current_exe().ok()?)
            // The child process must have the same sizes as this process.
            .args(env::args().skip(1).filter(|argument| argument == "--quick"))
            .args(["--count", id, part, &times.to_string()])
            .output()
            .ok()?;
        let report = String::from_utf8(output.stderr).ok()?;
        let (_, count) = report.split_once("refs:")?;
        let count = count.lines().next()?.replace([' ', ','], "");
        count.parse().ok()
    };
    // The first round fills caches, for example of regular expressions, and the heap still grows in
    // the second round. So both runs include two rounds.
    let short_run = count_run(2 * objects)?;
    let long_run = count_run((2 + rounds) * objects)?;
    Some((to_f64(long_run) - to_f64(short_run)) / to_f64((rounds * objects) as u64))
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn to_f64(count: u64) -> f64 {
    count as f64
}
