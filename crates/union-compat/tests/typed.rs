//! Rust types: clients read and write by them.
