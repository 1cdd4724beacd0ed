//! Time and instructions of one call.

use std::env;
use std::process::Command;
use std::time::{Duration, Instant};

/// The fastest of many rounds, in nanoseconds a call: other programs only make it slower.
pub(crate) fn least(effort: Duration, mut work: impl FnMut()) -> f64 {
    let mut fastest = f64::INFINITY;
    let start = Instant::now();
    while start.elapsed() < effort {
        let (mut calls, round) = (0_u32, Instant::now());
        let took = loop {
            work();
            calls += 1;
            let took = round.elapsed();
            // Long enough for the clock, and short enough to be left alone by other programs now and then.
            if took > Duration::from_millis(2) {
                break took;
            }
        };
        fastest = fastest.min(took.as_secs_f64() * 1e9 / f64::from(calls));
    }
    fastest
}

/// Instructions of one call, from two runs of this program under valgrind, of which one does it and one does not. `None`
/// without valgrind.
pub(crate) fn instructions(list: &str, op: &str, size: usize) -> Option<f64> {
    let count = |times: &str| -> Option<f64> {
        let run = Command::new("valgrind")
            .args([
                "--tool=cachegrind",
                "--cache-sim=no",
                "--cachegrind-out-file=/dev/null",
            ])
            .arg(env::current_exe().ok()?)
            .args(["--count", list, op, &size.to_string(), times])
            .output()
            .ok()?;
        let printed = String::from_utf8(run.stderr).ok()?;
        let (_, count) = printed.split_once("refs:")?;
        let count = count.lines().next()?.replace([' ', ','], "");
        count.parse().ok()
    };
    Some(count("1")? - count("0")?)
}
