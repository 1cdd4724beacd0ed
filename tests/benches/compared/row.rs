//! A row of the report. The name of a row is its identity, so that another process can measure the
//! same row.

use serde_json::{Value, json};

/// The sizes of the lists and maps that grow.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// All sizes, which are powers of ten.
    pub(crate) all: &'static [usize],
}

impl Sizes {
    pub(crate) const ALL: Self = Self {
        all: &[1, 10, 100, 1_000, 10_000, 100_000],
    };
    pub(crate) const QUICK: Self = Self { all: &[10, 100] };

    /// Returns the sizes that are at least `min`.
    pub(crate) fn at_least(self, min: usize) -> impl Iterator<Item = usize> {
        self.all.iter().copied().filter(move |size| *size >= min)
    }
}

/// The side that a number belongs to: our code, or the code that ours is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Ours,
    Reference,
}

/// A row to measure.
pub(crate) struct Row {
    pub(crate) side: Side,
    /// The name of the part of the report.
    pub(crate) report_part: &'static str,
    pub(crate) name: String,
    /// The number of elements, for rows that are measured in several sizes.
    pub(crate) size: Option<usize>,
    prepare: Box<dyn Fn() -> PreparedRow>,
}

impl Row {
    /// Returns a row of our side. `prepare` does the setup, which is not measured.
    pub(crate) fn new(
        report_part: &'static str,
        name: impl Into<String>,
        size: Option<usize>,
        prepare: impl Fn() -> PreparedRow + 'static,
    ) -> Self {
        Self {
            side: Side::Ours,
            report_part,
            name: name.into(),
            size,
            prepare: Box::new(prepare),
        }
    }

    /// Marks this row as the reference of the row with the same name.
    pub(crate) fn reference(self) -> Self {
        Self {
            side: Side::Reference,
            ..self
        }
    }

    /// Does the setup of the row.
    pub(crate) fn prepare(&self) -> PreparedRow {
        (self.prepare)()
    }

    /// Returns the unique identifier of the row.
    pub(crate) fn id(&self) -> String {
        let Self {
            side,
            report_part,
            name,
            size,
            ..
        } = self;
        format!("{side:?}/{report_part}/{name}/{}", size.unwrap_or_default())
    }

    /// Returns true if both rows belong to one row of the report.
    pub(crate) fn is_other_side_of(&self, other: &Self) -> bool {
        (self.report_part, &self.name, self.size) == (other.report_part, &other.name, other.size)
    }

    /// Returns the line of the report, without numbers. The programs of the reference print the
    /// same form.
    pub(crate) fn key(&self) -> Value {
        let side = match self.side {
            Side::Ours => "ours",
            Side::Reference => "reference",
        };
        json!({"side": side, "what": self.report_part, "row": self.name, "size": self.size})
    }

    /// Runs a part of the row `times` times, for valgrind to count.
    pub(crate) fn repeat(&self, part: &str, times: usize) {
        let PreparedRow { work, overhead, .. } = self.prepare();
        let work_or_overhead = match part {
            WORK => Some(work),
            _ => overhead,
        };
        (0..times).for_each(work_or_overhead.expect("a part"));
    }
}

/// The parts of a row, as in the argument of `--count`.
pub(crate) const WORK: &str = "work";
pub(crate) const OVERHEAD: &str = "besides";

/// A function to measure. The argument is the number of the call.
type Work = Box<dyn FnMut(usize)>;

/// A row, ready to be measured.
pub(crate) struct PreparedRow {
    /// The number of objects. Consecutive calls use consecutive objects.
    pub(crate) objects: usize,
    /// The work to measure.
    pub(crate) work: Work,
    /// The overhead of the bench in `work`, for example copying an object that `work` changes. The
    /// cost of this function is subtracted.
    pub(crate) overhead: Option<Work>,
}

impl PreparedRow {
    pub(crate) fn new(objects: usize, work: impl FnMut(usize) + 'static) -> Self {
        Self {
            objects,
            work: Box::new(work),
            overhead: None,
        }
    }

    pub(crate) fn with_overhead(mut self, overhead: impl FnMut(usize) + 'static) -> Self {
        self.overhead = Some(Box::new(overhead));
        self
    }
}
