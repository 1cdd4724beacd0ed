//! Answers of the server to requests for an object, by one version of a CRD.

pub(crate) mod answer;
pub(crate) mod attribution;
pub(crate) mod cause_score;
pub(crate) mod compiled_crd;
pub(crate) mod judged_version;
