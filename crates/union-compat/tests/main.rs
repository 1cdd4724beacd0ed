//! Tests of the findings of `compare`: for changes that real APIs made, and for all changes of
//! small unions.

mod enums;
mod exhaustive;
mod oracle;
mod pairs;
mod required_fields;
mod typed;
mod whole_crds;
