//! Tests of `crate = path`, which names the runtime crate. The tests of a renamed dependency are in
//! a crate of their own, `tests/rename`.

use serde::Serialize;
use union_runtime::Union as _;

use crate::{describe_union, error_paths};

/// A facade crate, which exports the runtime under another path.
mod facade {
    pub(crate) mod inner {
        pub(crate) use union_runtime as unions;
    }
}

/// A module without the runtime in scope, in which the names of the runtime's crate and traits have
/// another meaning.
mod other_module {
    use serde::Serialize;

    #[allow(dead_code, reason = "the module only takes the name")]
    mod union_runtime {}

    #[derive(crate::crate_path::facade::inner::unions::EnumType, Serialize)]
    #[enum_type(crate = crate::crate_path::facade::inner::unions)]
    pub(super) enum EnumType {
        Alpha,
        Beta,
    }

    #[derive(crate::crate_path::facade::inner::unions::Union, Serialize)]
    #[union(crate = super::facade::inner::unions)]
    pub(super) struct Union {
        #[union(discriminator)]
        pub(super) kind: EnumType,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(super) alpha: Option<u8>,
    }

    #[derive(::union_runtime::Union, Serialize)]
    pub(super) struct Default {
        #[union(discriminator)]
        pub(super) kind: EnumType,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        pub(super) beta: Option<u8>,
    }
}

#[test]
fn the_path_may_start_with_super_or_crate() {
    assert_eq!(
        describe_union::<other_module::Union>(),
        r#"kind: alpha = "Alpha""#
    );
    let object = other_module::Union {
        kind: other_module::EnumType::Alpha,
        alpha: None,
    };
    assert_eq!(error_paths(&object), "alpha");
    let object = other_module::Union {
        kind: other_module::EnumType::Beta,
        alpha: Some(1),
    };
    assert_eq!(error_paths(&object), "alpha");
}

#[test]
fn the_default_path_is_the_crate_even_if_a_module_has_the_same_name() {
    assert_eq!(
        describe_union::<other_module::Default>(),
        r#"kind: beta = "Beta""#
    );
    let object = other_module::Default {
        kind: other_module::EnumType::Alpha,
        beta: None,
    };
    assert!(object.validate_unions().is_accepted());
}

#[derive(union_runtime::EnumType, Serialize)]
#[enum_type(crate = ::union_runtime, schema = false)]
enum Kind {
    Alpha,
}

#[derive(union_runtime::Union, Serialize)]
#[union(schema = false)]
#[union(crate = union_runtime)]
struct WithOtherAttributes {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[test]
fn a_path_may_be_combined_with_other_attributes() {
    assert_eq!(
        error_paths(&WithOtherAttributes {
            kind: Kind::Alpha,
            alpha: Some(1)
        }),
        ""
    );
}
