//! Finds the unions that third-party CRDs declare, and the mistakes in them.
//!
//! Most CRDs declare unions by CEL rules, `oneOf` or counts of properties. This crate reads unions
//! from the objects that these rules *allow*, never from the wording of the rules: a
//! [sound](Union::is_sound) union accepts every object that the API server accepts.
//!
//! ```
//! use serde_json::json;
//!
//! let analysis = crd_unions::analyze_object(&json!({
//!     "type": "object",
//!     "properties": {
//!         "type": {"type": "string", "enum": ["Git", "Bucket", "None"]},
//!         "git": {"type": "object"},
//!         "bucket": {"type": "object"},
//!     },
//!     "required": ["type"],
//!     "x-kubernetes-validations": [
//!         {"rule": "self.type == 'Git' ? has(self.git) : !has(self.git)"},
//!         {"rule": "self.type == 'Bucket' ? has(self.bucket) : true"},
//!     ],
//! }));
//! let [union] = &*analysis.unions else { panic!("one union") };
//! assert_eq!(union.discriminator.as_ref().unwrap().name, "type");
//! assert_eq!(union.members.len(), 1);
//!
//! // Nothing forbids `bucket` at other values.
//! assert_eq!(analysis.findings[0].code.as_str(), "not-forbidden");
//! assert_eq!(analysis.findings[0].object, Some(json!({"type": "Git", "git": {}, "bucket": {}})));
//! ```
#![forbid(unsafe_code)]
// Schemas are untrusted input, so code that may panic is a warning. Each exception has a reason.
#![cfg_attr(
    not(test),
    warn(
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used,
    )
)]

// Folders, lowest first: bounds, report, terms, solver, transitions, unions, findings, reader,
// lists
pub mod bounds;
mod findings;
mod lists;
mod reader;
mod report;
mod solver;
mod terms;
mod transitions;
mod unions;

pub use lists::item_relations::{FieldValues, ItemClass, ItemRelation};
pub use lists::list_rules::{ListRule, analyze_lists};
pub use reader::analyze::{
    AnalyzedObject, AnalyzedVersion, analyze_at, analyze_crd, analyze_located, analyze_object,
    analyze_schema,
};
pub use reader::declared_union::add_unions_to;
pub use report::analysis::{
    AlternativeFieldSets, ConditionalField, Discriminator, Member, NamingHint, NoUnionReason,
    ObjectAnalysis, Rule, Union,
};
pub use report::error::AnalyzeError;
pub use report::finding::{Confidence, Finding, FindingCode};
pub use union_runtime::UnionModel;

// For other crates of this workspace, not for users.
#[doc(hidden)]
pub use findings::example_value::example_value;
