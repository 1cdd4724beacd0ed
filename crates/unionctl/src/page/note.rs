//! Something that is said, and where.

use serde::Serialize;
use serde_json::Value;

use crate::answer::Finding;
use crate::input::{Placed, Position, Positions, with_parents};
use crate::place::Place;
use crate::problem::{Flaw, Problem};
use crate::tighten;

/// One of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Editor {
    Crd,
    Stored,
    New,
    CrdNew,
}

impl Editor {
    /// For messages, in the place of a file.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Crd => "the CRD",
            Self::Stored => "the stored object",
            Self::New => "the new object",
            Self::CrdNew => "the second CRD",
        }
    }
}

/// What is said, and where it stands.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Note {
    pub(super) editor: Editor,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    pub(super) text: String,
    /// Why it is tolerated.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

/// Where something stands, from 1.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct At {
    line: usize,
    column: usize,
}

impl From<Position> for At {
    fn from(position: Position) -> Self {
        Self {
            line: position.line,
            column: position.column,
        }
    }
}

impl Note {
    /// A text that cannot be read.
    pub(super) fn of_flaw(editor: Editor, flaw: Flaw) -> Self {
        let at = At {
            line: flaw.line,
            column: flaw.column,
        };
        Self {
            at: Some(at),
            ..Self::new(editor, flaw.text)
        }
    }

    /// A text that cannot be judged.
    pub(super) fn of_problem(editor: Editor, problem: &Problem) -> Self {
        Self::new(editor, problem.text().to_owned())
    }

    /// Some of no line.
    pub(super) fn list<'t>(editor: Editor, texts: impl Iterator<Item = &'t str>) -> Vec<Self> {
        texts
            .map(|text| Self::new(editor, text.to_owned()))
            .collect()
    }

    /// Of no line.
    pub(super) const fn new(editor: Editor, text: String) -> Self {
        Self {
            editor,
            at: None,
            text,
            why: None,
        }
    }
}

/// What is said of an object of a text.
pub(super) struct About<'a> {
    pub(super) editor: Editor,
    pub(super) text: &'a str,
    pub(super) placed: Placed<'a>,
    /// The object as it was judged, which fields are fields of.
    pub(super) judged: &'a Value,
}

impl About<'_> {
    /// Errors at their lines; `why` they are tolerated, if they are.
    pub(super) fn findings(
        &self,
        findings: &[Finding],
        why: impl Fn(&Finding) -> Option<&'static str>,
    ) -> Vec<Note> {
        let pointers = findings.iter().map(|finding| self.pointer(&finding.field));
        let positions = self.positions(pointers.map(Option::unwrap_or_default).map(Some));
        let said = findings.iter().zip(positions);
        said.map(|(finding, at)| Note {
            at,
            why: why(finding),
            ..Note::new(self.editor, finding.line().to_owned())
        })
        .collect()
    }

    /// Warnings at their lines, as far as they say of which field they are.
    pub(super) fn warnings(&self, warnings: &[String]) -> Vec<Note> {
        let pointers = warnings.iter().map(|warning| {
            let of_rule = tighten::of_warning(warning).map(|finding| finding.field);
            let before = warning.split_once(": ").map(|(field, _)| field.to_owned());
            self.pointer(&of_rule.or(before)?)
        });
        let positions = self.positions(pointers);
        let said = warnings.iter().zip(positions);
        said.map(|(warning, at)| Note {
            at,
            ..Note::new(self.editor, warning.clone())
        })
        .collect()
    }

    /// Where pointers lead to, in their order.
    pub(super) fn positions(
        &self,
        pointers: impl Iterator<Item = Option<String>>,
    ) -> Vec<Option<At>> {
        let base = self.placed.pointer();
        let pointers = pointers.map(|pointer| Some(format!("{base}{}", pointer?)));
        let pointers: Vec<Option<String>> = pointers.collect();
        if pointers.is_empty() {
            return Vec::new();
        }
        let document = self.placed.document;
        let wanted = pointers.iter().flatten();
        let wanted = wanted.flat_map(|pointer| with_parents(pointer).map(|of| (document, of)));
        let found = Positions::of(self.text, wanted);
        let found = pointers.iter().map(|pointer| {
            let at = found.nearest(document, pointer.as_ref()?)?;
            Some(At::from(at))
        });
        found.collect()
    }

    /// The pointer of a field of an error; `None` if it names none.
    fn pointer(&self, field: &str) -> Option<String> {
        let mut place = Place::of(self.judged, field)?;
        let is_crd = matches!(self.editor, Editor::Crd | Editor::CrdNew);
        if let (true, Place::Missing(..), Some(rest)) =
            (is_crd, &place, field.strip_prefix("spec."))
        {
            // What all versions share, a server says of the CRD.
            let shared = match rest.strip_prefix("validation.") {
                Some(rest) => format!("spec.versions[0].schema.{rest}"),
                None => format!("spec.versions[0].{rest}"),
            };
            let pointer = Place::of(self.judged, &shared)?.pointer();
            let is_of_version = pointer.starts_with("/spec/versions/0/");
            if is_of_version {
                return Some(pointer);
            }
            place = Place::of(self.judged, field)?;
        }
        // Where nothing is missing but a name that nobody wrote, it is of the whole.
        match &place {
            Place::Missing(owner, key) if owner.is_empty() && !is_name(key) => None,
            place => Some(place.pointer()),
        }
    }
}

/// Whether it may be a field, and not a text.
fn is_name(key: &str) -> bool {
    !key.is_empty() && !key.contains([' ', '<'])
}
