//! What is measured: a row of a table, which has a name, so that another process can be asked for the same.

use std::hint::black_box;

use serde_json::{Value, json};
use union_runtime::crd::{Outcome, Settings, StructuralSchema};

use crate::input::{self, Input};
use crate::scaling;

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The kind of the objects, or the shape of what grows.
    pub(crate) subject: String,
    pub(crate) cel: bool,
    pub(crate) ratchet: bool,
    pub(crate) work: Work,
    /// How many entries the list or map has, of what grows.
    pub(crate) size: usize,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Compile,
    /// A copy of an object as it comes from a client, and its creation.
    Copied,
    Create,
    /// An update that changes nothing.
    Same,
    /// An update that changes a label.
    Changed,
    /// The same, of an object with an error that it had before.
    Ratcheted,
    /// An update that brings an error in.
    Invalid,
}

const WORKS: [(&str, Work); 7] = [
    ("compile", Work::Compile),
    ("copied", Work::Copied),
    ("create", Work::Create),
    ("same", Work::Same),
    ("changed", Work::Changed),
    ("ratcheted", Work::Ratcheted),
    ("invalid", Work::Invalid),
];

impl Row {
    pub(crate) fn of(subject: &str, cel: bool, work: Work) -> Self {
        Self {
            subject: subject.to_owned(),
            cel,
            ratchet: true,
            work,
            size: 0,
        }
    }

    pub(crate) fn growing(subject: &str, work: Work, size: usize) -> Self {
        Self {
            size,
            ..Self::of(subject, false, work)
        }
    }

    pub(crate) fn without_ratcheting(mut self) -> Self {
        self.ratchet = false;
        self
    }

    pub(crate) fn name(&self) -> String {
        let (work, _) = WORKS
            .iter()
            .find(|(_, work)| *work == self.work)
            .expect("all are in the list");
        let Self {
            subject,
            cel,
            ratchet,
            size,
            ..
        } = self;
        format!("{subject}/{work}/{cel}/{ratchet}/{size}")
    }

    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let mut parts = name.split('/');
        let subject = parts.next()?.to_owned();
        let work = parts.next()?;
        let (_, work) = WORKS.iter().find(|(name, _)| *name == work)?;
        Some(Self {
            subject,
            work: *work,
            cel: parts.next()?.parse().ok()?,
            ratchet: parts.next()?.parse().ok()?,
            size: parts.next()?.parse().ok()?,
        })
    }

    /// Makes all that is needed, so that what is left is what is measured; it takes the number of an object.
    pub(crate) fn prepare(&self) -> Prepared {
        let input = if self.size == 0 {
            input::of_kind(&self.subject, self.cel)
        } else {
            scaling::input(&self.subject, self.size)
        };
        let settings = Settings::default().ratchet(self.ratchet);
        if self.work == Work::Compile {
            let compile = move |_| drop(black_box(input.compile()));
            return Prepared {
                objects: 1,
                work: Box::new(compile),
            };
        }
        let schema = input.compile();
        let pairs = self.pairs(&input, &schema, &settings);
        let objects = pairs.len();
        let mut pairs = pairs;
        let work = self.work;
        Prepared {
            objects,
            work: Box::new(move |i| {
                let (new, old) = &mut pairs[i % objects];
                let outcome = match work {
                    Work::Copied => schema.create(&mut new.clone(), &settings),
                    Work::Create => schema.create(new, &settings),
                    _ => schema.update(new, old, &settings),
                };
                drop(black_box(outcome));
            }),
        }
    }

    /// The new and the old objects, which come out as they should.
    fn pairs(
        &self,
        input: &Input,
        schema: &StructuralSchema,
        settings: &Settings,
    ) -> Vec<(Value, Value)> {
        let mut pairs = Vec::new();
        for object in &input.objects {
            let mut old = object.clone();
            expect(&schema.create(&mut old, settings), 0, 0);
            if self.work == Work::Copied {
                pairs.push((object.clone(), Value::Null));
                continue;
            }
            let mut new = old.clone();
            // What is stored has a status, by its default.
            expect(&schema.update(&mut new, &old, settings), 0, 0);
            old.clone_from(&new);
            if self.work != Work::Same {
                new["metadata"]["labels"] = json!({"changed": "yes"});
            }
            if matches!(self.work, Work::Ratcheted | Work::Invalid) {
                (input.spoil)(&mut new);
            }
            if self.work == Work::Ratcheted {
                (input.spoil)(&mut old);
            }
            let errors = input.spoiled;
            match (self.work, self.ratchet) {
                (Work::Create, _) => expect(&schema.create(&mut new, settings), 0, 0),
                (Work::Ratcheted, true) => {
                    expect(&schema.update(&mut new, &old, settings), 0, errors);
                }
                (Work::Ratcheted, false) | (Work::Invalid, _) => {
                    expect(&schema.update(&mut new, &old, settings), errors, 0);
                }
                _ => expect(&schema.update(&mut new, &old, settings), 0, 0),
            }
            pairs.push((new, old));
        }
        pairs
    }
}

fn expect(outcome: &Outcome, errors: usize, ratcheted: usize) {
    let found = (outcome.errors.len(), outcome.ratcheted.len());
    assert!(
        found == (errors, ratcheted) && outcome.warnings.is_empty(),
        "{errors} errors and {ratcheted} ratcheted ones are wanted, not: {:?} {:?} {:?}",
        outcome.errors.first(),
        outcome.ratcheted.first(),
        outcome.warnings,
    );
}

/// A row, ready to be measured.
pub(crate) struct Prepared {
    /// How many objects take turns.
    pub(crate) objects: usize,
    pub(crate) work: Box<dyn FnMut(usize)>,
}
