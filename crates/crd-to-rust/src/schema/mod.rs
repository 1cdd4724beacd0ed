//! The schema of a CRD as a graph, and the types of Kubernetes in it.

pub(crate) mod core_types;
pub(crate) mod crd;
pub(crate) mod schema_graph;
pub(crate) mod stored_form;
