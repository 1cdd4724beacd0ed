//! Time, instructions and allocations of a row.

use std::env;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::row::Row;

/// How much time goes into a row.
pub(crate) struct Effort {
    time: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Self::of_seconds(0.5)
    }
}

impl Effort {
    pub(crate) fn of_seconds(seconds: f64) -> Self {
        Self {
            time: Duration::from_secs_f64(seconds),
        }
    }
}

/// What one object costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) ns: f64,
    pub(crate) allocations: f64,
    /// `None` without valgrind.
    pub(crate) instructions: Option<f64>,
}

/// Measures rows in turns, so that a machine that gets slower does so for all of them: the fastest round of each counts.
pub(crate) fn measure(rows: &[Row], effort: &Effort) -> Vec<Cost> {
    let mut prepared: Vec<_> = rows.iter().map(Row::prepare).collect();
    let mut costs: Vec<_> = prepared
        .iter_mut()
        .zip(rows)
        .map(|(prepared, row)| {
            let objects = prepared.objects;
            let counted = allocation_counter::measure(|| (0..objects).for_each(&mut prepared.work));
            Cost {
                ns: f64::INFINITY,
                allocations: float(counted.count_total) / float(objects as u64),
                instructions: instructions(row, objects),
            }
        })
        .collect();
    let mut spent = Duration::ZERO;
    let all = effort.time * u32::try_from(rows.len()).expect("few rows");
    while spent < all {
        for (prepared, cost) in prepared.iter_mut().zip(&mut costs) {
            let (mut times, start) = (0, Instant::now());
            let took = loop {
                for i in 0..prepared.objects {
                    (prepared.work)(i);
                }
                times += prepared.objects as u64;
                let took = start.elapsed();
                // Long enough for the clock, and short enough to be left alone by other programs now and then.
                if took > Duration::from_millis(2) {
                    break took;
                }
            };
            spent += took;
            cost.ns = cost.ns.min(took.as_secs_f64() * 1e9 / float(times));
        }
    }
    costs
}

/// Instructions of one object, from two runs under valgrind of which one does more.
fn instructions(row: &Row, objects: usize) -> Option<f64> {
    let count = |times: usize| -> Option<u64> {
        if !has_valgrind() {
            return None;
        }
        let run = Command::new("valgrind")
            .args([
                "--tool=cachegrind",
                "--cache-sim=no",
                "--cachegrind-out-file=/dev/null",
            ])
            .arg(env::current_exe().ok()?)
            .args(["--count", &row.name(), &times.to_string()])
            .output()
            .ok()?;
        let printed = String::from_utf8(run.stderr).ok()?;
        let (_, count) = printed.split_once("refs:")?;
        let count = count.lines().next()?.replace([' ', ','], "");
        count.parse().ok()
    };
    // The first round warms up what is made at first use, as caches of regular expressions.
    let (once, more) = (count(objects)?, count(3 * objects)?);
    Some(float(more - once) / float(2 * objects as u64))
}

fn has_valgrind() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| Command::new("valgrind").arg("--version").output().is_ok())
}

/// Does the work of a row so many times, for valgrind to count.
pub(crate) fn repeat(name: &str, times: usize) {
    let row = Row::of_name(name).expect("the name of a row");
    let mut prepared = row.prepare();
    (0..times).for_each(&mut prepared.work);
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}
