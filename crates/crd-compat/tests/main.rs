//! Tests of the comparison of CRDs.

mod causes;
mod kinds;
mod limits;
mod outside;
mod patterns;
mod proofs;
mod random;
mod required_fields;
mod rule_kinds;
mod support;
mod versions;
mod wording;

#[path = "../../../tests/reference/crd_cases/object.rs"]
#[expect(clippy::too_many_lines, reason = "a table of samples")]
mod object;
#[path = "../../../tests/reference/crd_cases/rules.rs"]
#[expect(
    dead_code,
    reason = "rules that a server refuses are for comparisons with a server"
)]
#[expect(clippy::too_many_lines, reason = "a table of rules")]
mod rules;
#[path = "../../../tests/reference/crd_cases/schema.rs"]
mod schema;
