//! The results of validations, in the form of the JSON output.

pub(crate) mod check_reply;
pub(crate) mod sarif_results;
pub(crate) mod unions_reply;
pub(crate) mod unknown_field;
