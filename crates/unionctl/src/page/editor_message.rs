//! Messages about positions in the editors of a page.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::error::{CommandError, InputError};
use crate::input::resolve_field::{ResolvedField, json_pointer};
use crate::input::{ObjectInFile, Position, SourceMap, crd};
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
    pub(super) position: Option<EditorPosition>,
    pub(super) text: String,
    /// The reason why an error is tolerated.
    #[serde(rename = "why", skip_serializing_if = "Option::is_none")]
    tolerance_reason: Option<&'static str>,
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
            position: Some(position),
            ..Self::new(editor, error.message)
        }
    }

    /// Converts an error that stops the validation. The message has no position.
    pub(super) fn from_command_error(editor: Editor, error: &CommandError) -> Self {
        Self::new(editor, error.message().to_owned())
    }

    /// Creates a message without a position.
    pub(super) const fn new(editor: Editor, text: String) -> Self {
        Self {
            editor,
            position: None,
            text,
            tolerance_reason: None,
        }
    }
}

/// An object in an editor, with the source in which the positions of its fields are found.
pub(super) struct EditorObject<'a> {
    pub(super) editor: Editor,
    pub(super) source: &'a str,
    pub(super) object_in_file: ObjectInFile<'a>,
    /// The object that was validated. The paths of errors are paths in this object.
    pub(super) validated_object: &'a Value,
}

impl EditorObject<'_> {
    /// Creates a message about the field at a JSON pointer.
    pub(super) fn message_at(&self, pointer: &str, text: String) -> EditorMessage {
        let pointers = core::iter::once(Some(pointer.to_owned()));
        EditorMessage {
            position: self.positions(pointers).pop().flatten(),
            ..EditorMessage::new(self.editor, text)
        }
    }

    /// Converts errors to messages with positions. `tolerance_reason` returns the reason why an
    /// error is tolerated.
    pub(super) fn error_messages(
        &self,
        errors: &[FieldError],
        tolerance_reason: impl Fn(&FieldError) -> Option<&'static str>,
    ) -> Vec<EditorMessage> {
        let pointers = errors.iter().map(|error| self.pointer(&error.path));
        let positions = self.positions(pointers.map(Option::unwrap_or_default).map(Some));
        let errors_and_positions = errors.iter().zip(positions);
        errors_and_positions
            .map(|(error, position)| EditorMessage {
                position,
                tolerance_reason: tolerance_reason(error),
                ..EditorMessage::new(self.editor, error.line().to_owned())
            })
            .collect()
    }

    /// Converts warnings to messages. A warning about one of the `failed_rules` or `unknown_fields`
    /// gets the position of this rule or field. Other warnings get a position if they begin with a
    /// path.
    pub(super) fn warning_messages(
        &self,
        warnings: &[String],
        failed_rules: &[FieldError],
        unknown_fields: &[UnknownFieldReply],
    ) -> Vec<EditorMessage> {
        let fields_by_message: HashMap<&str, &UnknownFieldReply> = unknown_fields
            .iter()
            .map(|field| (field.message(), field))
            .collect();
        let pointers = warnings.iter().map(|warning| {
            if let Some(field) = fields_by_message.get(warning.as_str()) {
                return Some(json_pointer(&field.path));
            }
            if let Some(failed_rule) = failed_rules.iter().find(|error| error.line() == warning) {
                return self.pointer(&failed_rule.path);
            }
            let (field, _) = warning.split_once(": ")?;
            Some(json_pointer(&FieldPath::resolve(
                field,
                self.validated_object,
            )?))
        });
        let positions = self.positions(pointers);
        let warnings_and_positions = warnings.iter().zip(positions);
        warnings_and_positions
            .map(|(warning, position)| {
                let field = fields_by_message.get(warning.as_str());
                let question = field.map_or_else(String::new, |field| field.question());
                EditorMessage {
                    position,
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
        let object_pointer = self.object_in_file.pointer();
        let document_pointers =
            pointers.map(|pointer| Some(format!("{object_pointer}{}", pointer?)));
        let document_pointers: Vec<Option<String>> = document_pointers.collect();
        if document_pointers.is_empty() {
            return Vec::new();
        }
        let document = self.object_in_file.document;
        let requested_pointers = document_pointers.iter().flatten();
        let requested_pointers = requested_pointers.map(|pointer| (document, pointer.as_str()));
        let source_map = SourceMap::build(self.source, requested_pointers);
        let positions = document_pointers.iter().map(|pointer| {
            let position = source_map.nearest_position(document, pointer.as_ref()?)?;
            Some(EditorPosition::from(position))
        });
        positions.collect()
    }

    /// Returns the JSON pointer of the field of an error; `None` if the path is the root or does
    /// not exist.
    fn pointer(&self, path: &FieldPath) -> Option<String> {
        if path.is_root() {
            return None;
        }
        let is_crd = matches!(self.editor, Editor::Crd | Editor::CrdNew);
        if is_crd && path.find(self.validated_object).is_none() {
            // A server reports an error in a schema that all versions share at a path without a
            // version.
            let path_in_version = crd::path_in_first_version(path)?;
            if ResolvedField::resolve(self.validated_object, &path_in_version).is_some() {
                return Some(json_pointer(&path_in_version));
            }
        }
        ResolvedField::resolve(self.validated_object, path).map(|_| json_pointer(path))
    }
}
