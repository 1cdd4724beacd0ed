//! Tests of the rules.

mod expressions;
