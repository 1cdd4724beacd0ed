//! CRDs of kube-rs types, for the cluster and for tools, and what build scripts write.

mod admission;
mod enum_form;
mod golden;
mod outputs;
mod ratchet;
mod types;
mod versions;
