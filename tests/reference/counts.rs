//! The counts of a comparison, printed in a line that `versions/run` parses.

use k8s_cel::KubeVersion;

/// The counts of a comparison.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) questions: usize,
    /// The number of results with different verdicts, values or costs.
    pub(crate) verdicts: usize,
    /// The number of results that differ only in messages.
    pub(crate) texts: usize,
}

impl Counts {
    /// Prints the line for `versions/run`.
    pub(crate) fn print(self, subject: &str, server: KubeVersion) {
        let Self {
            questions,
            verdicts,
            texts,
        } = self;
        println!(
            "counts\t{server}\t{subject}\t{questions} questions\t{verdicts} verdicts\t{texts} texts"
        );
    }
}
