//! Tests that compare policies with the native rules: the CEL of the policies, evaluated by
//! `k8s-cel`, changes and rejects the same objects as `normalize` and `validate_update`.

mod builtin;
mod cel;
mod manifests;
mod native;
mod worlds;
