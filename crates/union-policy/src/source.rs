//! The unions of a version of a CRD.

use crd_unions::FindingCode;
use serde_json::Value;
use union_json::{SchemaSource, Unions};
use union_runtime::path::FieldPath;

use crate::error::PolicyError;
use crate::limitation::Limitation;

/// Returns the unions that a version declares by the annotation or the extension, or else the
/// unions that its rules imply, and with `by_convention` those that its names suggest. Adds a gap
/// for each union that is not used, and for each rule that keeps a field unchanged, which a policy
/// might clear.
pub(crate) fn unions_of(
    crd: &Value,
    version: &str,
    by_convention: bool,
    gaps: &mut Vec<Limitation>,
) -> Result<Unions, PolicyError> {
    let own = Unions::compile(SchemaSource::Crd(crd, Some(version)))
        .map_err(PolicyError::InvalidUnions)?;
    if !own.is_empty() {
        return Ok(own);
    }
    let read = crd_unions::analyze_crd(crd).map_err(PolicyError::UnreadableRules)?;
    let Some(read) = read.into_iter().find(|read| read.name == version) else {
        return Ok(own);
    };
    let compiler = crd_unions::add_unions_to(Unions::compiler(), &read.objects);
    let places = read.objects.iter().filter(|_| by_convention);
    let conventions = places.flat_map(|place| {
        let conventions = place.analysis.naming_hints.iter();
        conventions.map(|convention| (&*place.pointer, convention.to_declared_union()))
    });
    let compiler = conventions.fold(compiler, |compiler, (pointer, union)| {
        compiler.declared_union_at(pointer, &union)
    });
    let source = SchemaSource::Crd(crd, Some(version));
    let unions = compiler
        .lenient()
        .compile(source)
        .map_err(PolicyError::InvalidUnions)?;
    gaps.extend(unions.errors().iter().map(|problem| {
        Limitation::new(
            problem.pointer(),
            format!("not used: {}", problem.message()),
        )
    }));
    for place in &read.objects {
        let unused = place.analysis.unions.iter();
        for union in unused.filter(|union| !union.is_trusted()) {
            let members = union.members.iter().map(|member| &*member.name);
            let members = k8s_json_internals::quote::quote_list(members);
            gaps.push(Limitation::new(
                &*place.path,
                format!("the union of {members} is not used, because its rules are not fully understood; see `unionctl unions --list`, and annotate the CRD"),
            ));
        }
        let findings = place.analysis.findings.iter();
        for finding in findings.filter(|finding| finding.code == FindingCode::SwitchRefused) {
            let fields =
                k8s_json_internals::quote::quote_list(finding.fields.iter().map(FieldPath::as_str));
            gaps.push(Limitation::new(
                &*place.path,
                format!("a rule forbids changing {fields}, so API servers reject the object if the policy clears the field"),
            ));
        }
    }
    Ok(unions)
}
