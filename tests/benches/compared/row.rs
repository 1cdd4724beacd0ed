//! A row: what is measured, under a name, so that another process can be asked for the same.

use serde_json::{Value, json};

/// How large the lists and maps are that grow.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// All of them, in powers of ten.
    pub(crate) all: &'static [usize],
}

impl Sizes {
    pub(crate) const ALL: Self = Self {
        all: &[1, 10, 100, 1_000, 10_000, 100_000],
    };
    pub(crate) const QUICK: Self = Self { all: &[10, 100] };

    /// Those from a size on.
    pub(crate) fn from(self, least: usize) -> impl Iterator<Item = usize> {
        self.all.iter().copied().filter(move |size| *size >= least)
    }
}

/// Whose numbers they are: what we do, or what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Ours,
    Reference,
}

/// What is measured.
pub(crate) struct Row {
    pub(crate) side: Side,
    /// The part of the report.
    pub(crate) what: &'static str,
    pub(crate) name: String,
    /// Of what grows.
    pub(crate) size: Option<usize>,
    prepare: Box<dyn Fn() -> Prepared>,
}

impl Row {
    /// A row; `prepare` makes all that is needed, so that what is left is what is measured.
    pub(crate) fn new(
        what: &'static str,
        name: impl Into<String>,
        size: Option<usize>,
        prepare: impl Fn() -> Prepared + 'static,
    ) -> Self {
        Self {
            side: Side::Ours,
            what,
            name: name.into(),
            size,
            prepare: Box::new(prepare),
        }
    }

    /// The same as what ours is compared with.
    pub(crate) fn reference(self) -> Self {
        Self {
            side: Side::Reference,
            ..self
        }
    }

    pub(crate) fn prepare(&self) -> Prepared {
        (self.prepare)()
    }

    /// What tells it from all others.
    pub(crate) fn id(&self) -> String {
        let Self {
            side,
            what,
            name,
            size,
            ..
        } = self;
        format!("{side:?}/{what}/{name}/{}", size.unwrap_or_default())
    }

    /// Whether the two are one row of the report.
    pub(crate) fn is_other_side_of(&self, other: &Self) -> bool {
        (self.what, &self.name, self.size) == (other.what, &other.name, other.size)
    }

    /// What the row is called in the report, as the line of JSON that the programs of the reference print too.
    pub(crate) fn key(&self) -> Value {
        let side = match self.side {
            Side::Ours => "ours",
            Side::Reference => "reference",
        };
        json!({"side": side, "what": self.what, "row": self.name, "size": self.size})
    }

    /// Does a part of its work so many times, for valgrind to count.
    pub(crate) fn repeat(&self, part: &str, times: usize) {
        let Prepared { work, besides, .. } = self.prepare();
        let part = match part {
            WORK => Some(work),
            _ => besides,
        };
        (0..times).for_each(part.expect("there is such a part"));
    }
}

/// The parts of a row, as `--count` names them.
pub(crate) const WORK: &str = "work";
pub(crate) const BESIDES: &str = "besides";

type Work = Box<dyn FnMut(usize)>;

/// A row, ready to be measured.
pub(crate) struct Prepared {
    /// How many objects take turns.
    pub(crate) objects: usize,
    /// Takes the number of a call.
    pub(crate) work: Work,
    /// The part of the work that is there for the bench alone, as the copy of what is changed; it is not counted.
    pub(crate) besides: Option<Work>,
}

impl Prepared {
    pub(crate) fn new(objects: usize, work: impl FnMut(usize) + 'static) -> Self {
        Self {
            objects,
            work: Box::new(work),
            besides: None,
        }
    }

    pub(crate) fn besides(mut self, besides: impl FnMut(usize) + 'static) -> Self {
        self.besides = Some(Box::new(besides));
        self
    }
}
