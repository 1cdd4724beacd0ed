//! Finds the unions of a version of a CRD.

use crd_unions::FindingCode;
use serde_json::Value;
use union_json::{SchemaSource, Unions};
use union_runtime::path::FieldPath;

use crate::error::PolicyError;
use crate::limitation::Limitation;

/// Returns the unions that a version declares by the annotation or the extension, or else the
/// unions that its rules imply, and with `by_convention` the unions that its names suggest. Adds a
/// limitation for each union that is not used, and for each rule that forbids changing a field that
/// the policy might clear.
pub(crate) fn unions_of(
    crd: &Value,
    version: &str,
    by_convention: bool,
    limitations: &mut Vec<Limitation>,
) -> Result<Unions, PolicyError> {
    let declared_unions = Unions::compile(SchemaSource::Crd(crd, Some(version)))
        .map_err(PolicyError::InvalidUnions)?;
    if !declared_unions.is_empty() {
        return Ok(declared_unions);
    }
    let analyzed_versions = crd_unions::analyze_crd(crd).map_err(PolicyError::UnreadableRules)?;
    let Some(analyzed_version) = analyzed_versions
        .into_iter()
        .find(|analyzed_version| analyzed_version.name == version)
    else {
        return Ok(declared_unions);
    };
    let compiler = crd_unions::add_unions_to(Unions::compiler(), &analyzed_version.objects);
    let hinted_objects = analyzed_version.objects.iter().filter(|_| by_convention);
    let hinted_unions = hinted_objects.flat_map(|object| {
        let hints = object.analysis.naming_hints.iter();
        hints.map(|hint| (&*object.pointer, hint.to_declared_union()))
    });
    let compiler = hinted_unions.fold(compiler, |compiler, (pointer, union)| {
        compiler.declared_union_at(pointer, &union)
    });
    let source = SchemaSource::Crd(crd, Some(version));
    let unions = compiler
        .lenient()
        .compile(source)
        .map_err(PolicyError::InvalidUnions)?;
    limitations.extend(
        unions.errors().iter().map(|error| {
            Limitation::new(error.pointer(), format!("not used: {}", error.message()))
        }),
    );
    for object in &analyzed_version.objects {
        let unions = object.analysis.unions.iter();
        for union in unions.filter(|union| !union.is_trusted()) {
            let members = union.members.iter().map(|member| &*member.name);
            let members = k8s_json_internals::quote::quote_list(members);
            limitations.push(Limitation::new(
                &*object.path,
                format!("the union of {members} is not used, because its rules are not fully understood; see `unionctl unions --list`, and annotate the CRD"),
            ));
        }
        let findings = object.analysis.findings.iter();
        for finding in findings.filter(|finding| finding.code == FindingCode::SwitchRefused) {
            let fields =
                k8s_json_internals::quote::quote_list(finding.fields.iter().map(FieldPath::as_str));
            limitations.push(Limitation::new(
                &*object.path,
                format!("a rule forbids changing {fields}, so API servers reject the object if the policy clears the field"),
            ));
        }
    }
    Ok(unions)
}
