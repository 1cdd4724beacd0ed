//! A name of the old form does not occur in objects of the new form.

use union_runtime::{RawUnion, UnionEnum};

#[derive(UnionEnum)]
#[union(discriminator = "type", values = "lowercase", read_also = "external", enforce = "one_of")]
enum Discriminated {
    #[union(field = "typeRef")]
    Type(String),
    Auto,
    #[union(other)]
    Other(RawUnion),
}

#[derive(UnionEnum)]
#[union(undiscriminated, read_also = "external", enforce = "one_of")]
enum Undiscriminated {
    #[union(field = "B")]
    A(u8),
    #[union(field = "x")]
    B(u16),
    #[union(other)]
    Other(RawUnion),
}

/// An object of the old form has no discriminator, so it is not an object of the new form.
#[derive(UnionEnum)]
#[union(discriminator = "type", read_also = "external", enforce = "one_of")]
enum Distinct {
    #[union(field = "D")]
    C(u8),
    #[union(field = "y")]
    D(u16),
    #[union(other)]
    Other(RawUnion),
}

fn main() {}
