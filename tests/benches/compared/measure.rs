//! Measures time, instructions and allocations of rows.

use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::row::{OVERHEAD, PreparedRow, Row, WORK};

/// The largest size whose instructions are counted. Larger sizes take too long under valgrind.
const MOST_COUNTED: usize = 10_000;

/// The cost of one object.
#[derive(Clone, Copy)]
struct Cost {
    ns: f64,
    allocations: f64,
}

/// Measures rows and prints them as lines of JSON. Time is measured first, without other work in
/// parallel. Instructions are counted in parallel, for at most `counted` rows.
pub(crate) fn print(rows: &[Row], effort: Duration, counted: usize) {
    let mut measured = Vec::new();
    for sides in rows.chunk_by(Row::is_other_side_of) {
        let prepared: Vec<PreparedRow> = sides.iter().map(Row::prepare).collect();
        for (row, (objects, has_besides, cost)) in sides.iter().zip(costs(prepared, effort)) {
            eprintln!("{}: {:.0} ns", row.id(), cost.ns);
            if row.size <= Some(MOST_COUNTED) {
                measured.push((row.id(), objects, rounds(objects, cost), has_besides));
            }
            let mut line = row.key();
            line["ns"] = json!(cost.ns);
            line["allocs"] = json!(cost.allocations);
            println!("{line}");
        }
    }
    measured.truncate(counted);
    for (id, instructions) in count_all(&measured) {
        let row = rows.iter().find(|row| row.id() == id);
        let mut line = row.map_or(json!({}), Row::key);
        line["instructions"] = json!(instructions);
        println!("{line}");
    }
}

/// Measures rows in turns, so that a temporary slowdown of the machine affects all rows. The
/// fastest round of each row counts.
fn costs(mut rows: Vec<PreparedRow>, effort: Duration) -> Vec<(usize, bool, Cost)> {
    let mut found: Vec<_> = rows
        .iter_mut()
        .map(|row| {
            let allocations = |work: &mut dyn FnMut(usize)| {
                let counted = allocation_counter::measure(|| (0..row.objects).for_each(work));
                float(counted.count_total) / float(row.objects as u64)
            };
            let besides = row
                .overhead
                .as_mut()
                .map_or(0.0, |besides| allocations(besides));
            let cost = Cost {
                ns: f64::INFINITY,
                allocations: allocations(&mut row.work) - besides,
            };
            (cost, f64::INFINITY)
        })
        .collect();
    let all = effort * u32::try_from(rows.len()).expect("few rows");
    let start = Instant::now();
    while start.elapsed() < all {
        for (row, (cost, besides)) in rows.iter_mut().zip(&mut found) {
            cost.ns = cost.ns.min(round(row.objects, &mut row.work));
            if let Some(part) = &mut row.overhead {
                *besides = besides.min(round(row.objects, part));
            }
        }
    }
    rows.iter()
        .zip(found)
        .map(|(row, (mut cost, besides))| {
            if row.overhead.is_some() {
                // A measurement that is too short has no meaning. NaN becomes null in JSON.
                let left = cost.ns - besides;
                cost.ns = if left > 0.0 { left } else { f64::NAN };
            }
            (row.objects, row.overhead.is_some(), cost)
        })
        .collect()
}

/// Returns the nanoseconds of a call, measured over one round. A round is long enough for the
/// precision of the clock, and short enough that some rounds run without an interruption by other
/// programs.
fn round(objects: usize, mut work: impl FnMut(usize)) -> f64 {
    let (mut calls, start) = (0, Instant::now());
    loop {
        (0..objects).for_each(&mut work);
        calls += objects as u64;
        let took = start.elapsed();
        if took > Duration::from_millis(2) {
            return took.as_secs_f64() * 1e9 / float(calls);
        }
    }
}

/// Returns the number of rounds to count. Cheap rows need many rounds, because the setup differs by
/// some thousands of instructions from run to run, for example by hash tables with random seeds.
fn rounds(objects: usize, cost: Cost) -> usize {
    const NS: f64 = 1e6;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between the two"
    )]
    let rounds = (NS / (cost.ns * float(objects as u64))).clamp(1.0, 40.0) as usize;
    rounds.max(1)
}

/// Counts the instructions of rows. Without valgrind, the result is empty.
fn count_all(rows: &[(String, usize, usize, bool)]) -> Vec<(&str, f64)> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("no instructions: valgrind is missing");
        return Vec::new();
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some((id, objects, rounds, has_besides)) =
            rows.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let all = count(id, WORK, *objects, *rounds);
            let besides = if *has_besides {
                count(id, OVERHEAD, *objects, *rounds)
            } else {
                Some(0.0)
            };
            found.extend(
                all.zip(besides)
                    .map(|(all, besides)| (id.as_str(), all - besides)),
            );
        }
        found
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let found = workers
            .into_iter()
            .map(|worker| worker.join().expect("it counts"));
        found.flatten().collect()
    })
}

/// Counts the instructions of one object, as the difference of two runs under valgrind, one with
/// `rounds` more rounds.
fn count(id: &str, part: &str, objects: usize, rounds: usize) -> Option<f64> {
    let count = |times: usize| -> Option<u64> {
        let run = Command::new("valgrind")
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
        let printed = String::from_utf8(run.stderr).ok()?;
        let (_, count) = printed.split_once("refs:")?;
        let count = count.lines().next()?.replace([' ', ','], "");
        count.parse().ok()
    };
    // The first round fills caches, for example of regular expressions, and the heap still grows in
    // the second round. So both runs include two rounds.
    let (two, more) = (count(2 * objects)?, count((2 + rounds) * objects)?);
    Some((float(more) - float(two)) / float((rounds * objects) as u64))
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn float(count: u64) -> f64 {
    count as f64
}
