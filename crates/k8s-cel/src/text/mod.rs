//! Texts as Go reads and prints them.

pub(crate) mod base64;
pub(crate) mod duration;
pub(crate) mod float;
pub(crate) mod net;
pub(crate) mod quantity;
pub(crate) mod semver;
pub(crate) mod split;
