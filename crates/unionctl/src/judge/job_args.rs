//! The flag for the number of threads.

use std::num::NonZeroUsize;
use std::thread;

/// The maximum number of threads.
const MAX_JOBS: u64 = 256;

/// The number of threads of a command for many objects.
#[derive(Debug, clap::Args)]
pub(crate) struct JobArgs {
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_JOBS))]
    #[arg(
        help = "The number of threads that validate objects, by default the number of processors; the output is the same with each number"
    )]
    jobs: Option<u64>,
}

impl JobArgs {
    /// Returns the number of threads that validate objects.
    pub(crate) fn thread_count(&self) -> NonZeroUsize {
        let jobs = self.jobs.and_then(|jobs| usize::try_from(jobs).ok());
        let jobs = jobs.and_then(NonZeroUsize::new);
        // WebAssembly has no threads.
        jobs.or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}
