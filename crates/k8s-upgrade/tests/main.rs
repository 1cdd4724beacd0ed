//! Tests of the comparison of versions.

mod causes;
mod inputs;
mod random;
