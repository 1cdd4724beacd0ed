//! Policies against the native rules: their CEL, run by `k8s-cel`, changes and refuses what `normalize` and `validate_update` do.

mod cel;
mod manifests;
mod native;
mod worlds;
