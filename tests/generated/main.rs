//! Tests of generated types: they read and write back every sample, and their own CRDs validate
//! like the original CRDs.

mod facts;
mod objects;
mod pods;
mod random;
mod registry;
mod unions;
mod verdicts;
