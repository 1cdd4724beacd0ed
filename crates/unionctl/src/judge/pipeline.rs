//! Evaluates objects on several threads, and returns the results in the order of the objects.

use std::collections::VecDeque;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

/// The maximum number of jobs in a batch. A thread receives one batch at a time, so that waking the
/// thread costs little per job.
const BATCH_JOBS: usize = 64;

/// The number of input bytes with which a batch is full.
const BATCH_BYTES: usize = 64 << 10;

/// The maximum number of unfinished batches for each thread.
const BATCHES_PER_THREAD: usize = 4;

/// The maximum number of input bytes in unfinished batches, if there is more than one.
const UNFINISHED_BYTES: usize = 16 << 20;

/// The size of the stack of a thread, equal to the default of the main thread on Linux.
const STACK_BYTES: usize = 8 << 20;

/// A function that adds a job, whose input has this number of bytes.
pub(crate) type PushJob<'p, J> = &'p mut dyn FnMut(J, usize);

/// Runs `feed`, which pushes jobs. Each job is evaluated, and `finish` receives the results in the
/// order of the jobs. Only `evaluate` runs on other threads. All pushed jobs are finished when the
/// function returns.
pub(crate) fn run<J: Send, R: Send, T>(
    thread_count: NonZeroUsize,
    evaluate: impl Fn(J) -> R + Sync,
    mut finish: impl FnMut(R),
    feed: impl FnOnce(PushJob<'_, J>) -> T,
) -> T {
    thread::scope(|scope| {
        let mut pipeline = Pipeline {
            scope,
            thread_count: thread_count.get(),
            evaluate: &evaluate,
            finish: &mut finish,
            queue: None,
            batch: Vec::new(),
            batch_bytes: 0,
            unfinished: VecDeque::new(),
            unfinished_bytes: 0,
        };
        let output = feed(&mut |job, bytes| pipeline.push(job, bytes));
        pipeline.finish_all();
        output
    })
}

/// A bounded queue of jobs, and the threads that evaluate them.
struct Pipeline<'scope, 'env, J, R> {
    scope: &'scope Scope<'scope, 'env>,
    /// The number of threads that evaluate jobs. With 1, the main thread evaluates them.
    thread_count: usize,
    evaluate: &'scope (dyn Fn(J) -> R + Sync),
    finish: &'scope mut dyn FnMut(R),
    /// The queue of the threads; `None` before the first batch, so that few objects need no thread.
    queue: Option<SyncSender<Batch<J, R>>>,
    /// The jobs that no thread has received.
    batch: Vec<J>,
    batch_bytes: usize,
    /// The batches whose results are not finished, in the order of their jobs.
    unfinished: VecDeque<UnfinishedBatch<R>>,
    unfinished_bytes: usize,
}

/// Consecutive jobs, and the channel for their results.
struct Batch<J, R> {
    jobs: Vec<J>,
    results: Sender<Vec<R>>,
}

struct UnfinishedBatch<R> {
    results: Receiver<Vec<R>>,
    bytes: usize,
}

impl<'scope, J: Send + 'scope, R: Send + 'scope> Pipeline<'scope, '_, J, R> {
    /// Adds a job, and waits while too many jobs are unfinished. `bytes` is the size of the input
    /// of the job.
    fn push(&mut self, job: J, bytes: usize) {
        if self.thread_count == 1 {
            (self.finish)((self.evaluate)(job));
            return;
        }
        self.batch.push(job);
        self.batch_bytes += bytes;
        if self.batch.len() >= BATCH_JOBS || self.batch_bytes >= BATCH_BYTES {
            self.send_batch();
        }
    }

    fn send_batch(&mut self) {
        if self.queue.is_none() {
            self.start_threads();
        }
        let jobs = mem::take(&mut self.batch);
        let bytes = mem::take(&mut self.batch_bytes);
        let Some(queue) = self.queue.clone() else {
            return self.evaluate_here(jobs);
        };
        while self.unfinished.len() >= self.max_batches()
            || self.unfinished_bytes + bytes > UNFINISHED_BYTES && !self.unfinished.is_empty()
        {
            self.finish_first_batch();
        }
        let (sender, results) = mpsc::channel();
        let batch = Batch {
            jobs,
            results: sender,
        };
        // If all threads have panicked, the batch is lost, and the scope panics when it ends.
        let _ = queue.send(batch);
        self.unfinished
            .push_back(UnfinishedBatch { results, bytes });
        self.unfinished_bytes += bytes;
    }

    /// Starts the threads. If the system does not start any, the main thread evaluates all jobs.
    fn start_threads(&mut self) {
        // The queue has a place for each unfinished batch, so that sending never waits.
        let (sender, batches) = mpsc::sync_channel::<Batch<J, R>>(self.max_batches());
        // Only the threads own the receiver. If they panic, sending and receiving fail.
        let batches = Arc::new(Mutex::new(batches));
        let mut started_count = 0;
        for _ in 0..self.thread_count {
            let (batches, evaluate) = (Arc::clone(&batches), self.evaluate);
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let result = thread.spawn_scoped(self.scope, move || {
                while let Some(Batch { jobs, results }) = next_batch(&batches) {
                    // The main thread waits for the results unless it has panicked.
                    let _ = results.send(jobs.into_iter().map(evaluate).collect());
                }
            });
            if result.is_err() {
                break;
            }
            started_count += 1;
        }
        if started_count > 0 {
            self.queue = Some(sender);
        } else {
            self.thread_count = 1;
        }
    }

    const fn max_batches(&self) -> usize {
        BATCHES_PER_THREAD * self.thread_count
    }

    fn evaluate_here(&mut self, jobs: Vec<J>) {
        for job in jobs {
            (self.finish)((self.evaluate)(job));
        }
    }

    /// Waits for the results of the first unfinished batch, and finishes them.
    fn finish_first_batch(&mut self) {
        let Some(batch) = self.unfinished.pop_front() else {
            return;
        };
        self.unfinished_bytes -= batch.bytes;
        // There are no results if the thread has panicked.
        let results = batch.results.recv().unwrap_or_default();
        results.into_iter().for_each(&mut *self.finish);
    }

    fn finish_all(&mut self) {
        if self.unfinished.is_empty() {
            let jobs = mem::take(&mut self.batch);
            self.evaluate_here(jobs);
        } else if !self.batch.is_empty() {
            self.send_batch();
        }
        while !self.unfinished.is_empty() {
            self.finish_first_batch();
        }
        // The threads end when the queue has no sender.
        self.queue = None;
    }
}

/// Waits for a batch; `None` after the last batch.
fn next_batch<J, R>(batches: &Mutex<Receiver<Batch<J, R>>>) -> Option<Batch<J, R>> {
    let batches = batches.lock().unwrap_or_else(PoisonError::into_inner);
    batches.recv().ok()
}

#[cfg(test)]
mod tests {
    use std::hint;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use union_random::Random;

    use super::*;

    /// A job that takes some time.
    struct Job {
        number: usize,
        rounds: usize,
    }

    fn evaluate(Job { number, rounds }: Job) -> usize {
        (0..rounds).for_each(|round| {
            hint::black_box(round);
        });
        number
    }

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_have_the_order_of_the_jobs() {
        let mut random = Random::new(44);
        for thread_count in 1..=5 {
            for job_count in [0, 1, 63, 64, 65, 2_000] {
                let mut results = Vec::new();
                let finish = |number| results.push(number);
                run(threads(thread_count), evaluate, finish, |push| {
                    for number in 0..job_count {
                        let rounds = random.below(5_000);
                        let bytes = random.below(3 * BATCH_BYTES / 2);
                        push(Job { number, rounds }, bytes);
                    }
                });
                assert_eq!(
                    results,
                    (0..job_count).collect::<Vec<_>>(),
                    "{thread_count} threads"
                );
            }
        }
    }

    #[test]
    fn the_jobs_before_an_error_are_finished() {
        for thread_count in [1, 2, 4] {
            let mut finished_count = 0;
            let result: Result<(), &str> = run(
                threads(thread_count),
                evaluate,
                |_| finished_count += 1,
                |push| {
                    for number in 0..1_000 {
                        push(Job { number, rounds: 9 }, 1);
                    }
                    Err("the input ends here")
                },
            );
            assert!(result.is_err());
            assert_eq!(finished_count, 1_000);
        }
    }

    /// Returns the maximum number of unfinished jobs of this size.
    fn max_unfinished(thread_count: usize, bytes: usize) -> usize {
        let finished_count = AtomicUsize::new(0);
        let mut max_unfinished = 0;
        run(
            threads(thread_count),
            evaluate,
            |_| {
                finished_count.fetch_add(1, Ordering::SeqCst);
            },
            |push| {
                for number in 0..5_000 {
                    push(Job { number, rounds: 1 }, bytes);
                    let unfinished = number + 1 - finished_count.load(Ordering::SeqCst);
                    max_unfinished = max_unfinished.max(unfinished);
                }
            },
        );
        max_unfinished
    }

    #[test]
    fn unfinished_jobs_are_bounded() {
        for thread_count in [2, 3] {
            let max_jobs = (BATCHES_PER_THREAD * thread_count + 1) * BATCH_JOBS;
            assert!(max_unfinished(thread_count, 1) <= max_jobs);
            assert!(max_unfinished(thread_count, UNFINISHED_BYTES / 3) <= 3);
            assert_eq!(max_unfinished(thread_count, 2 * UNFINISHED_BYTES), 1);
        }
        assert_eq!(max_unfinished(1, 1), 0);
    }
}
