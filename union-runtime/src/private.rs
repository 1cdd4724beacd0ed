//! What generated code calls. Nobody else may: it changes with every version.

pub use crate::declare::{Declaration, discriminator, member, member_as, union};
pub use crate::probe::{NoSchema, Probe, require_hook};
