//! Tests of `crate = path`, which names the runtime crate. The tests of a renamed dependency are in
//! a crate of their own, `tests/rename`.

use serde::Serialize;
use union_runtime::Union as _;

use crate::{declared, wrong};

/// A facade crate, which exports the runtime under another path.
mod facade {
    pub(crate) mod inner {
        pub(crate) use union_runtime as unions;
    }
}

/// A module without the runtime in scope, in which the names of the runtime's crate and traits have
/// another meaning.
mod elsewhere {
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
fn the_path_may_be_relative_or_absolute() {
    assert_eq!(declared::<elsewhere::Union>(), r#"kind: alpha = "Alpha""#);
    let object = elsewhere::Union {
        kind: elsewhere::EnumType::Alpha,
        alpha: None,
    };
    assert_eq!(wrong(&object), "alpha");
    let object = elsewhere::Union {
        kind: elsewhere::EnumType::Beta,
        alpha: Some(1),
    };
    assert_eq!(wrong(&object), "alpha");
}

#[test]
fn without_a_path_the_crate_is_used_instead_of_a_module_of_the_same_name() {
    assert_eq!(declared::<elsewhere::Default>(), r#"kind: beta = "Beta""#);
    let object = elsewhere::Default {
        kind: elsewhere::EnumType::Alpha,
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
struct BesideOthers {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[test]
fn a_path_may_be_combined_with_other_attributes() {
    assert_eq!(
        wrong(&BesideOthers {
            kind: Kind::Alpha,
            alpha: Some(1)
        }),
        ""
    );
}
