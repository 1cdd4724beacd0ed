//! The types and hand-written code that the benches compare.
