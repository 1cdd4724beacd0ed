//! The unions of built-in kinds, for objects without a CRD.

use k8s_builtin_unions::{BuiltinKind, KindUnions, find_kind, kinds};
use k8s_crd_validation::FieldValidation;
use k8s_strategic_merge_patch::PatchSchema;
use serde_json::Value;
use union_runtime::Report;

use crate::error::CommandError;
use crate::judge::reply::check_reply::{CheckReply, RequestBody};
use crate::judge::reply::unions_reply::{FieldError, field_errors};

/// The note for a stored object, which a command does not use for built-in kinds.
pub(crate) const NOTE_ON_OLD: &str = "--old is not used: API servers neither normalize built-in kinds nor tolerate old errors in them";

/// Returns the built-in kind of an object, if the kind has unions.
pub(crate) fn kind_of(object: &Value) -> Option<BuiltinKind> {
    let api_version = object.get("apiVersion")?.as_str()?;
    find_kind(api_version, object.get("kind")?.as_str()?)
}

/// Returns the built-in kind with a name, in each API version. The case of the name is ignored.
pub(crate) fn kinds_with_name(name: &str) -> Result<Vec<BuiltinKind>, CommandError> {
    let has_name = |kind: &BuiltinKind| kind.name().eq_ignore_ascii_case(name);
    let found: Vec<BuiltinKind> = kinds().filter(has_name).collect();
    if found.is_empty() {
        return Err(CommandError::new(
            "--builtin",
            format!(
                "{name:?} is not a built-in kind with unions; `unionctl unions --list --builtin` lists all unions"
            ),
        ));
    }
    Ok(found)
}

/// Validates the unions of an object of a built-in kind, and compiles each kind once.
#[derive(Default)]
pub(crate) struct BuiltinValidator {
    compiled: Vec<(&'static str, KindUnions)>,
}

impl BuiltinValidator {
    /// Returns the errors about the unions of an object.
    pub(crate) fn errors(
        &mut self,
        kind: BuiltinKind,
        object: &Value,
    ) -> Result<Vec<FieldError>, CommandError> {
        Ok(field_errors(self.validate(kind, object)?.errors()))
    }

    /// Validates the unions of an object of a file, and reports duplicate keys.
    pub(crate) fn reply(
        &mut self,
        kind: BuiltinKind,
        body: RequestBody<'_>,
        validation: FieldValidation,
    ) -> Result<CheckReply, CommandError> {
        CheckReply::without_schema(body, validation, |object| self.errors(kind, object))
    }

    /// Validates the unions of an object.
    pub(crate) fn validate(
        &mut self,
        kind: BuiltinKind,
        object: &Value,
    ) -> Result<Report, CommandError> {
        let type_name = kind.type_name();
        let mut compiled = self.compiled.iter();
        let found = compiled.find(|(name, _)| *name == type_name);
        if let Some((_, unions)) = found {
            return Ok(unions.validate(object));
        }
        let unions = kind.compiler().compile();
        let unions =
            unions.map_err(|error| CommandError::new(type_name, error.message().to_owned()))?;
        let report = unions.validate(object);
        self.compiled.push((type_name, unions));
        Ok(report)
    }
}

/// Returns the unions of a built-in kind, with the rules that servers do not enforce, and the
/// strategies of its patches.
pub(crate) fn unions_to_switch(
    kind: BuiltinKind,
) -> Result<(KindUnions, PatchSchema), CommandError> {
    let to_error =
        |error: union_json::SchemaError| CommandError::new(kind.type_name(), error.message());
    let unions = kind.compiler().with_unenforced().compile();
    let unions = unions.map_err(to_error)?;
    Ok((unions, kind.patch_schema().map_err(to_error)?))
}

/// Returns a note on each given flag, which has no effect on objects of built-in kinds.
pub(crate) fn notes_on_flags(flags: &[(&str, bool)]) -> impl Iterator<Item = String> {
    let given_flags = flags.iter().filter(|(_, is_given)| *is_given);
    given_flags.map(|(flag, _)| {
        format!("{flag} is not used: it has no effect on objects of built-in kinds")
    })
}

/// Returns the note on the parts of a built-in kind that are not judged.
pub(crate) fn note_on_scope(kind: BuiltinKind) -> String {
    format!(
        "only the unions of {} are checked; API servers validate the rest of built-in kinds by code",
        kind.name()
    )
}
