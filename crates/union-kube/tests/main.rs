//! CRDs of kube-rs types, for the cluster and for tools, and what build scripts write.

mod golden;
mod outputs;
mod types;
mod versions;
