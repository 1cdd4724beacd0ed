//! The unions of a version of a CRD.

use crd_unions::Code;
use serde_json::Value;
use union_json::{Source, Unions};
use union_runtime::path::FieldPath;

use crate::error::PolicyError;
use crate::gap::Gap;

/// Returns the unions that a version declares by the annotation or the extension, or else the
/// unions that its rules imply, and with `by_convention` those that its names suggest. Adds a gap
/// for each union that is not used, and for each rule that keeps a field unchanged, which a policy
/// might clear.
pub(crate) fn unions_of(
    crd: &Value,
    version: &str,
    by_convention: bool,
    gaps: &mut Vec<Gap>,
) -> Result<Unions, PolicyError> {
    let own = Unions::compile(Source::Crd(crd, Some(version))).map_err(PolicyError::Unions)?;
    if !own.is_empty() {
        return Ok(own);
    }
    let read = crd_unions::read_crd(crd).map_err(PolicyError::Rules)?;
    let Some(read) = read.into_iter().find(|read| read.name == version) else {
        return Ok(own);
    };
    let compiler = crd_unions::declare(Unions::compiler(), &read.places);
    let places = read.places.iter().filter(|_| by_convention);
    let conventions = places.flat_map(|place| {
        let conventions = place.reading.conventions.iter();
        conventions.map(|convention| (&*place.pointer, convention.declared()))
    });
    let compiler = conventions.fold(compiler, |compiler, (pointer, union)| {
        compiler.declared_at(pointer, &union)
    });
    let source = Source::Crd(crd, Some(version));
    let unions = compiler
        .lenient()
        .compile(source)
        .map_err(PolicyError::Unions)?;
    gaps.extend(
        unions
            .problems()
            .iter()
            .map(|problem| Gap::new(problem.place(), format!("not used: {}", problem.problem()))),
    );
    for place in &read.places {
        let unused = place.reading.unions.iter();
        for union in unused.filter(|union| !union.may_judge()) {
            let members = union.members.iter().map(|member| &*member.name);
            let members = k8s_json_internals::quote::quoted(members);
            gaps.push(Gap::new(
                &*place.path,
                format!("the union of {members} is not used, because its rules are not fully understood; see `unionctl unions --list`, and annotate the CRD"),
            ));
        }
        let findings = place.reading.findings.iter();
        for finding in findings.filter(|finding| finding.code == Code::SwitchRefused) {
            let fields =
                k8s_json_internals::quote::quoted(finding.fields.iter().map(FieldPath::as_str));
            gaps.push(Gap::new(
                &*place.path,
                format!("a rule forbids changing {fields}, so API servers reject the object if the policy clears the field"),
            ));
        }
    }
    Ok(unions)
}
