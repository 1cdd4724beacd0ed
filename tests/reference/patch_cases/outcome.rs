//! The outcomes of operations, on both sides.

use k8s_strategic_merge_patch::{DiffError, OnConflict, PatchSchema};
use serde_json::{Value, json};
use union_runtime::path::FieldPath;

/// An operation on the documents of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    Diff,
    ThreeWay,
    Overwrite,
    Apply,
    Compose,
}

pub(crate) const OPS: [Op; 5] = [
    Op::Diff,
    Op::ThreeWay,
    Op::Overwrite,
    Op::Apply,
    Op::Compose,
];

impl Op {
    /// Returns the name of the operation in the Go program.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Diff => "diff",
            Self::ThreeWay => "three_way",
            Self::Overwrite => "overwrite",
            Self::Apply => "apply",
            Self::Compose => "compose",
        }
    }

    pub(crate) const fn is_three_way(self) -> bool {
        matches!(self, Self::ThreeWay | Self::Overwrite)
    }
}

/// The documents of a case: the three documents of a three-way diff, a patch of the current object,
/// and patches to combine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Case {
    pub(crate) original: Value,
    pub(crate) modified: Value,
    pub(crate) current: Value,
    pub(crate) patch: Value,
    pub(crate) patches: Vec<Value>,
}

impl Case {
    pub(crate) fn line(&self) -> Value {
        self.line_of("", 1)
    }

    /// Returns the line for one operation, which is repeated `repeat` times.
    pub(crate) fn line_of(&self, only: &str, repeat: usize) -> Value {
        json!({
            "original": self.original,
            "modified": self.modified,
            "current": self.current,
            "patch": self.patch,
            "patches": self.patches,
            "only": only,
            "repeat": repeat,
        })
    }

    /// Returns the case with only the documents that the operation needs.
    pub(crate) fn of_op(&self, op: Op) -> Self {
        let case = self.clone();
        let empty = Self::default;
        match op {
            Op::Diff => Self {
                original: case.original,
                modified: case.modified,
                ..empty()
            },
            Op::ThreeWay | Op::Overwrite => Self {
                original: case.original,
                modified: case.modified,
                current: case.current,
                ..empty()
            },
            Op::Apply => Self {
                current: case.current,
                patch: case.patch,
                ..empty()
            },
            Op::Compose => Self {
                patches: case.patches,
                ..empty()
            },
        }
    }

    pub(crate) fn documents(&self) -> impl Iterator<Item = &Value> {
        let documents = [&self.original, &self.modified, &self.current, &self.patch];
        documents.into_iter().chain(&self.patches)
    }

    pub(crate) fn documents_mut(&mut self) -> Vec<&mut Value> {
        let mut documents = vec![
            &mut self.original,
            &mut self.modified,
            &mut self.current,
            &mut self.patch,
        ];
        documents.extend(&mut self.patches);
        documents
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Done(Value),
    Error(String),
    Conflict(String),
    /// The reference panicked.
    Panic(String),
}

impl Outcome {
    /// Reads a result of the reference.
    pub(crate) fn read(answer: &Value) -> Self {
        let text = |key: &str| answer[key].as_str().map(str::to_owned);
        if let Some(text) = text("error") {
            Self::Error(lookup_alike(text))
        } else if let Some(text) = text("conflict") {
            Self::Conflict(text)
        } else if let Some(text) = text("panic") {
            Self::Panic(text)
        } else {
            let mut value = answer["ok"].clone();
            numbers_alike(&mut value);
            Self::Done(value)
        }
    }

    /// Returns our outcome of a case.
    pub(crate) fn ours(schema: &PatchSchema, op: Op, case: &Case) -> Self {
        Self::ours_with_path(schema, op, case).0
    }

    /// Returns our outcome of a case, and the path of an error or conflict.
    pub(crate) fn ours_with_path(
        schema: &PatchSchema,
        op: Op,
        case: &Case,
    ) -> (Self, Option<FieldPath>) {
        let three_way = |on_conflict| {
            let patch =
                schema.three_way(&case.original, &case.modified, &case.current, on_conflict);
            patch.map(Value::from)
        };
        let found = match op {
            Op::Diff => schema
                .diff(&case.original, &case.modified)
                .map(Value::from)
                .map_err(DiffError::from),
            Op::ThreeWay => three_way(OnConflict::Fail),
            Op::Overwrite => three_way(OnConflict::Overwrite),
            Op::Apply => schema
                .apply(case.current.clone(), &case.patch)
                .map_err(DiffError::from),
            Op::Compose => schema.compose(&case.patches).map_err(DiffError::from),
        };
        let path = found.as_ref().err().map(DiffError::path);
        let outcome = match found {
            Ok(mut value) => {
                numbers_alike(&mut value);
                Self::Done(value)
            }
            Err(DiffError::Conflict(conflicts)) => Self::Conflict(conflicts.message()),
            Err(error) => Self::Error(lookup_alike(error.message())),
        };
        (outcome, path)
    }

    /// Returns the kind of the outcome: equal kinds have equal differences.
    pub(crate) fn kind(&self) -> String {
        match self {
            Self::Done(_) => "done".to_owned(),
            Self::Conflict(_) => "conflict".to_owned(),
            Self::Error(text) | Self::Panic(text) => {
                let text: String = text.chars().take(36).collect();
                text.replace('\n', " ")
            }
        }
    }
}

/// Replaces messages about an unknown field or a missing merge key by a common message. These
/// messages depend on the lookup (`schema::Lookup`).
fn lookup_alike(text: String) -> String {
    let texts = [
        "unable to find api field",
        "expected kind, but got",
        "expected slice, but got",
        "expected slice or array type",
        "merging an object in json but data type is not struct",
    ];
    if texts.iter().any(|start| text.starts_with(start)) {
        let is_directive = text.contains("$deleteFromPrimitiveList");
        let directive = if is_directive { " of a directive" } else { "" };
        return format!("the lookup fails{directive}");
    }
    let of_unnamed = "cannot merge lists without merge key for ";
    if text.starts_with(of_unnamed) {
        // The rest of the message is the type of the schema, which depends on the lookup.
        return of_unnamed.to_owned();
    }
    text
}

/// Replaces whole floats by integers, because the reference prints 1.0 as 1.
pub(crate) fn numbers_alike(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|float| float.fract() == 0.0);
            if let (None, Some(float)) = (number.as_i64(), float) {
                // The numbers of the cases are small.
                #[expect(clippy::cast_possible_truncation)]
                let integer = float as i64;
                *number = integer.into();
            }
        }
        Value::Array(values) => values.iter_mut().for_each(numbers_alike),
        Value::Object(object) => object.values_mut().for_each(numbers_alike),
        _ => {}
    }
}
