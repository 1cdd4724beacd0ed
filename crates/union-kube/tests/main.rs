//! Tests of the CRDs of kube-rs types, and of the outputs of build scripts.

mod admission;
mod enum_form;
mod golden;
mod outputs;
mod ratchet;
mod recursion;
mod types;
mod versions;
