//! The errors of an API server in the unions of an object. A server may reject an object that is
//! valid by the unions, because its rules count a null as set, or require more than the unions.

use crd_unions::AnalyzedObject;
use k8s_crd_validation::{FieldValidation, ServerSettings, StructuralSchema};
use serde_json::Value;
use union_runtime::path::PathStep;

use crate::judge::inferred_unions::matches_pointer;
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::unions_reply::{FieldError, UnionsReply};

/// Adds the errors of an API server in the unions that the rules of a schema declare, except errors
/// of objects whose unions are already reported. Returns true if an error was added.
pub(crate) fn add_server_errors(
    reply: &mut UnionsReply,
    schema: &StructuralSchema,
    objects: &[AnalyzedObject],
    old_object: Option<&Value>,
) -> bool {
    let settings = ServerSettings::default().field_validation(FieldValidation::Ignore);
    let request = old_object.map_or(ObjectRequest::Create, ObjectRequest::Update);
    let object = reply.object.clone();
    let server_reply = CheckReply::validate_value(schema, request, object, &[], &settings);
    let is_reported = |error: &FieldError| {
        let mut errors = reply.errors.iter().chain(&reply.ratcheted);
        errors.any(|reported| error.path.starts_with(&reported.path))
    };
    let errors = server_reply.errors.into_iter();
    let errors: Vec<FieldError> = errors
        .filter(|error| is_union_error(error, objects) && !is_reported(error))
        .collect();
    let has_errors = !errors.is_empty();
    reply.errors.extend(errors);
    has_errors
}

/// Returns true if an error is about an object with a union, or about a field of the union.
fn is_union_error(error: &FieldError, objects: &[AnalyzedObject]) -> bool {
    let steps: Vec<PathStep<'_>> = error.path.steps().collect();
    if error.is_rules_not_checked() {
        return false;
    }
    objects.iter().any(|object| {
        let fields = object.analysis.unions.iter().flat_map(|union| {
            let members = union.members.iter().map(|member| member.name.as_str());
            let discriminator = union.discriminator.as_ref();
            members.chain(discriminator.map(|discriminator| discriminator.name.as_str()))
        });
        let mut fields = fields.peekable();
        let has_unions = fields.peek().is_some();
        let is_union_field = match steps.split_last() {
            Some((PathStep::Field(name) | PathStep::Key(name), object_steps)) => {
                fields.any(|field| field == *name) && matches_pointer(object_steps, &object.pointer)
            }
            _ => false,
        };
        has_unions && (is_union_field || matches_pointer(&steps, &object.pointer))
    })
}
