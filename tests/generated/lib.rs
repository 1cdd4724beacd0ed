//! What crd-to-rust writes for the CRDs of `crds` and of the Gateway API, where no warning passes.
#![expect(
    clippy::pedantic,
    reason = "names and texts are those of other people; what users of clippy see by default is denied"
)]

/// All kinds.
pub mod types {
    include!(concat!(env!("OUT_DIR"), "/types.rs"));
}
