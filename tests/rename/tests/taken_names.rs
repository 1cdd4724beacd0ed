//! Every name that generated code could mean is taken by something else.

use renamed::{EnumType as _, Union as _};

#[allow(dead_code)] // These are here to be in the way.
mod core {}
#[allow(dead_code)]
mod std {}
#[allow(dead_code)]
mod union_runtime {}
/// By the name of what a table imports.
#[allow(dead_code)] // As above.
fn member() {}

/// Methods on everything, by the names of the runtime's: a method call would find two.
#[allow(dead_code)] // As above.
trait InTheWay {
    fn is_set(&self) {}
    fn clear(&mut self) {}
    fn selected(&self) {}
    fn selected_or(&self) {}
    fn default(&self) {}
    fn respan(&self) {}
    fn of_text(&self) {}
}

impl<T: ?Sized> InTheWay for T {}

mod primitives {
    //! The names of primitive types. serde's derives write `usize`, so that one is taken in `usizes` only.
    #![allow(dead_code, non_camel_case_types)] // As above.

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
    pub(super) struct Taken {
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

mod usizes {
    #![allow(dead_code, non_camel_case_types)] // As above.

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
    let taken = primitives::Taken {
        kind: Some(primitives::Kind::Beta),
        alpha: Some(1),
        beta: Some(1),
    };
    let report = taken.validate_unions();
    assert_eq!(report.errors().len(), 1, "alpha is not selected");
    assert_eq!(primitives::Kind::Alpha.as_str(), "Alpha");
    assert_eq!(usizes::Kind::Alpha.as_str(), "Alpha");
}
