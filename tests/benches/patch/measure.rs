//! Time of one call.

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
