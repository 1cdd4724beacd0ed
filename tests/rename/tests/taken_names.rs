//! Tests of generated code in a module where every name that the code could mistakenly use has
//! another meaning.

use renamed::{EnumType as _, Union as _};

#[allow(dead_code, reason = "the modules only take the names")]
mod core {}
#[allow(dead_code)]
mod std {}
#[allow(dead_code)]
mod union_runtime {}
/// A function with the name of a function that generated code imports.
#[allow(dead_code, reason = "the function only takes the name")]
fn member() {}

/// A trait that gives every type methods with the names of the runtime's methods, so that a method
/// call would be ambiguous.
#[allow(dead_code, reason = "the trait only takes the names")]
trait ConflictingMethods {
    fn is_set(&self) {}
    fn clear(&mut self) {}
    fn selected(&self) {}
    fn selected_or(&self) {}
    fn default(&self) {}
    fn respan(&self) {}
    fn of_text(&self) {}
}

impl<T: ?Sized> ConflictingMethods for T {}

mod primitives {
    //! Types with the names of primitive types. The derives of serde write `usize`, so only the
    //! module `taken_usize` takes that name.
    #![allow(
        dead_code,
        non_camel_case_types,
        reason = "the types only take the names"
    )]

    struct u64;
    struct str;
    struct bool;
    struct Option;
    struct Default;

    #[derive(renamed::EnumType, serde::Serialize)]
    #[enum_type(crate = renamed)]
    pub(super) enum Kind {
        Alpha,
        Beta,
    }

    #[derive(renamed::Union, serde::Serialize)]
    #[union(crate = renamed)]
    pub(super) struct UnionAmongTakenNames {
        #[union(discriminator)]
        #[serde(default, skip_serializing_if = "::std::option::Option::is_none")]
        pub(super) kind: ::std::option::Option<Kind>,
        #[union(member)]
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub(super) alpha: ::std::option::Option<u8>,
        #[union(member = "Beta")]
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        pub(super) beta: ::std::option::Option<u8>,
    }
}

mod taken_usize {
    #![allow(
        dead_code,
        non_camel_case_types,
        reason = "the types only take the names"
    )]

    struct usize;
    struct u64;
    struct str;

    #[derive(renamed::EnumType)]
    #[enum_type(crate = renamed)]
    pub(super) enum Kind {
        Alpha,
    }
}

#[test]
fn names_of_primitives_the_prelude_and_crates_may_be_taken() {
    let union = primitives::UnionAmongTakenNames {
        kind: Some(primitives::Kind::Beta),
        alpha: Some(1),
        beta: Some(1),
    };
    let report = union.validate_unions();
    assert_eq!(report.errors().len(), 1, "alpha is not selected");
    assert_eq!(primitives::Kind::Alpha.as_str(), "Alpha");
    assert_eq!(taken_usize::Kind::Alpha.as_str(), "Alpha");
}
