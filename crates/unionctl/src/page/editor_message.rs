//! Messages about positions in the editors of a page.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use union_runtime::path::{FieldPath, PathStep};

use crate::error::{CommandError, InputError};
use crate::input::resolve_field::{ResolvedField, json_pointer};
use crate::input::{LocatedObject, Position, SourceMap};
use crate::judge::reply::unions_reply::FieldError;
use crate::judge::reply::unknown_field::UnknownFieldReply;

/// An editor of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Editor {
    Crd,
    Stored,
    New,
    CrdNew,
}

impl Editor {
    /// Returns the name of the editor, which messages have in place of a file name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Crd => "the CRD",
            Self::Stored => "the stored object",
            Self::New => "the new object",
            Self::CrdNew => "the second CRD",
        }
    }
}

/// A message about the content of an editor, with its position if it is known.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EditorMessage {
    pub(super) editor: Editor,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<EditorPosition>,
    pub(super) text: String,
    /// The reason for which an error is tolerated.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
}

/// A position in an editor. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct EditorPosition {
    line: usize,
    column: usize,
}

impl From<Position> for EditorPosition {
    fn from(position: Position) -> Self {
        Self {
            line: position.line,
            column: position.column,
        }
    }
}

impl EditorMessage {
    /// Converts an error in the input, and keeps its position.
    pub(super) fn from_input_error(editor: Editor, error: InputError) -> Self {
        let position = EditorPosition {
            line: error.line,
            column: error.column,
        };
        Self {
            at: Some(position),
            ..Self::new(editor, error.message)
        }
    }

    /// Converts an error that stops the validation. The message has no position.
    pub(super) fn from_command_error(editor: Editor, problem: &CommandError) -> Self {
        Self::new(editor, problem.message().to_owned())
    }

    /// Creates messages without positions.
    pub(super) fn without_positions<'t>(
        editor: Editor,
        texts: impl Iterator<Item = &'t str>,
    ) -> Vec<Self> {
        texts
            .map(|text| Self::new(editor, text.to_owned()))
            .collect()
    }

    /// Creates a message without a position.
    pub(super) const fn new(editor: Editor, text: String) -> Self {
        Self {
            editor,
            at: None,
            text,
            why: None,
        }
    }
}

/// An object in an editor, with all that is needed to find positions in its source.
pub(super) struct Subject<'a> {
    pub(super) editor: Editor,
    pub(super) source: &'a str,
    pub(super) located: LocatedObject<'a>,
    /// The object that was validated. The paths of errors are paths in this object.
    pub(super) judged: &'a Value,
}

impl Subject<'_> {
    /// Converts errors to messages with positions. `why` returns the reason for which an error is
    /// tolerated.
    pub(super) fn error_messages(
        &self,
        findings: &[FieldError],
        why: impl Fn(&FieldError) -> Option<&'static str>,
    ) -> Vec<EditorMessage> {
        let pointers = findings.iter().map(|finding| self.pointer(&finding.path));
        let positions = self.positions(pointers.map(Option::unwrap_or_default).map(Some));
        let located_messages = findings.iter().zip(positions);
        located_messages
            .map(|(finding, position)| EditorMessage {
                at: position,
                why: why(finding),
                ..EditorMessage::new(self.editor, finding.line().to_owned())
            })
            .collect()
    }

    /// Converts warnings to messages. `warned` and `unknown` are the failed rules and the unknown
    /// fields behind the warnings, and give their positions. Other warnings have a position if they
    /// begin with a path.
    pub(super) fn warning_messages(
        &self,
        warnings: &[String],
        warned: &[FieldError],
        unknown: &[UnknownFieldReply],
    ) -> Vec<EditorMessage> {
        let unknown = unknown.iter().map(|field| (field.message(), field));
        let unknown: HashMap<&str, &UnknownFieldReply> = unknown.collect();
        let pointers = warnings.iter().map(|warning| {
            if let Some(field) = unknown.get(warning.as_str()) {
                return Some(json_pointer(&field.path));
            }
            if let Some(failed_rule) = warned.iter().find(|finding| finding.line() == warning) {
                return self.pointer(&failed_rule.path);
            }
            let (field, _) = warning.split_once(": ")?;
            Some(json_pointer(&FieldPath::resolve(field, self.judged)?))
        });
        let positions = self.positions(pointers);
        let located_messages = warnings.iter().zip(positions);
        located_messages
            .map(|(warning, position)| {
                let field = unknown.get(warning.as_str());
                let question = field.map_or_else(String::new, |field| field.question());
                EditorMessage {
                    at: position,
                    ..EditorMessage::new(self.editor, format!("{warning}{question}"))
                }
            })
            .collect()
    }

    /// Returns the positions of JSON pointers, in the order of the pointers.
    pub(super) fn positions(
        &self,
        pointers: impl Iterator<Item = Option<String>>,
    ) -> Vec<Option<EditorPosition>> {
        let base = self.located.pointer();
        let pointers = pointers.map(|pointer| Some(format!("{base}{}", pointer?)));
        let pointers: Vec<Option<String>> = pointers.collect();
        if pointers.is_empty() {
            return Vec::new();
        }
        let document = self.located.document;
        let requested = pointers.iter().flatten();
        let requested = requested.map(|pointer| (document, pointer.as_str()));
        let source_map = SourceMap::build(self.source, requested);
        let source_map = pointers.iter().map(|pointer| {
            let position = source_map.nearest(document, pointer.as_ref()?)?;
            Some(EditorPosition::from(position))
        });
        source_map.collect()
    }

    /// Returns the JSON pointer of the field of an error; `None` if the path is the root or does
    /// not exist.
    fn pointer(&self, path: &FieldPath) -> Option<String> {
        if path.is_root() {
            return None;
        }
        let is_crd = matches!(self.editor, Editor::Crd | Editor::CrdNew);
        if is_crd && path.find(self.judged).is_none() {
            // A server reports an error in the parts that all versions share at a path without a
            // version.
            let shared = in_first_version(path)?;
            if ResolvedField::resolve(self.judged, &shared).is_some() {
                return Some(json_pointer(&shared));
            }
        }
        ResolvedField::resolve(self.judged, path).map(|_| json_pointer(path))
    }
}

/// Replaces the path of a part that all versions of a CRD share by the path of this part in the
/// first version.
fn in_first_version(path: &FieldPath) -> Option<FieldPath> {
    let mut steps = path.steps();
    steps
        .next()
        .filter(|step| *step == PathStep::Field("spec"))?;
    let mut first = FieldPath::from(["spec", "versions"]).index(0);
    if steps.clone().next() == Some(PathStep::Field("validation")) {
        steps.next();
        first = first.field("schema");
    }
    Some(steps.fold(first, FieldPath::step))
}
