//! The reply with a sample object.

use crd_compat::sample::{Found, changeable_schema, find_sample, small_value};
use serde::Serialize;
use serde_json::{Value, json};
use union_json::document::{Crd, CrdVersion};

use super::editor_inputs::{EditorInputs, ParsedCrds};
use super::request::PageRequest;
use crate::error::CommandError;
use crate::input::{crd, object};
use crate::judge::manifest;
use crate::judge::reply::check_reply::{CheckReply, ObjectRequest};
use crate::judge::reply::unions_reply::FieldError;
use crate::output::yaml;

/// A version of a CRD for which an object can be created.
pub(super) struct SampleChoice {
    /// The kind and the version: `Backup v1`.
    pub(super) title: String,
    type_of_object: Value,
    schema: Value,
}

#[derive(Default, Serialize)]
pub(super) struct SampleReply {
    /// The object in YAML; `None` if the CRD cannot be compiled.
    object: Option<String>,
    /// The errors of the object. The object is valid if there are none.
    errors: Vec<String>,
    /// The reason why there is no object, or why the object is not valid.
    problem: Option<String>,
}

/// Returns the served versions of the CRDs. The stored version of each CRD comes first.
pub(super) fn sample_choices(crds: &ParsedCrds) -> Vec<SampleChoice> {
    let crds = crds.crds_in_file();
    let crds = crds.map(|object_in_file| Crd::new(object_in_file.object));
    let choices = crds.flat_map(|crd| {
        let served = crd.versions().filter(|version| crd::is_served(*version));
        let mut versions: Vec<CrdVersion<'_>> = served.collect();
        versions.sort_by_key(|version| !version.is_stored());
        versions.into_iter().map(move |version| {
            let kind = crd.kind().unwrap_or_default();
            let group = crd.group().unwrap_or_default();
            let version_name = version.name().unwrap_or_default();
            SampleChoice {
                title: format!("{kind} {version_name}"),
                type_of_object: json!({
                    "apiVersion": format!("{group}/{version_name}"), "kind": kind,
                }),
                schema: version.schema().cloned().unwrap_or_default(),
            }
        })
    });
    choices.collect()
}

pub(super) fn sample_reply(inputs: &mut EditorInputs, request: &PageRequest) -> SampleReply {
    let with_problem = |problem: &str| SampleReply {
        problem: Some(problem.to_owned()),
        ..SampleReply::default()
    };
    let Some(crds) = inputs.valid_crds(request) else {
        return with_problem("the CRD is empty or invalid");
    };
    let choices = sample_choices(crds);
    let Some(choice) = choices.get(request.sample) else {
        return with_problem("the CRD has no served version");
    };
    match find_object(crds, choice, request) {
        Ok(found) => found.into(),
        Err(error) => with_problem(error.message()),
    }
}

fn find_object(
    crds: &mut ParsedCrds,
    choice: &SampleChoice,
    request: &PageRequest,
) -> Result<Found<FieldError>, CommandError> {
    let schema = changeable_schema(&choice.schema);
    let mut first_object = small_value(&schema, 0);
    if let (Some(fields), Value::Object(type_fields)) =
        (first_object.as_object_mut(), &choice.type_of_object)
    {
        fields.extend(type_fields.clone());
    }
    let Some(crd) = crds.crds.find(&first_object) else {
        let name = object::display_name(&first_object);
        return Err(CommandError::new(
            crds.documents.file.as_str(),
            format!("the CRD does not define {name}"),
        ));
    };
    let is_namespaced = crds.crds.is_namespaced(crd);
    let settings = request.settings();
    let compiled_schema = crds.crds.schema(crd, &first_object)?;
    Ok(find_sample(first_object, &schema, |object| {
        let mut object = object.clone();
        manifest::complete(&mut object, None, is_namespaced);
        let request = ObjectRequest::Create;
        CheckReply::validate(&compiled_schema, request, object, &settings).errors
    }))
}

impl From<Found<FieldError>> for SampleReply {
    fn from(found: Found<FieldError>) -> Self {
        let errors = found.errors.iter().map(FieldError::line);
        let errors: Vec<String> = errors.map(str::to_owned).collect();
        let problem = (!errors.is_empty()).then(|| {
            "no valid object was found; mend the errors of this one, which has the fewest"
                .to_owned()
        });
        Self {
            object: Some(yaml::document(&found.object)),
            errors,
            problem,
        }
    }
}
