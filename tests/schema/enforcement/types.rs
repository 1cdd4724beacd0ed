//! A struct for each kind of union, once for each kind of enforcement.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use union_runtime::spec::UnionType;
use union_runtime::{EnumType, Union, add_unions};

macro_rules! declare_kind {
    ($name:ident { $($(#[$attr:meta])* $value:ident),* $(,)? }) => {
        #[derive(EnumType, Serialize, Deserialize, Clone, Debug, PartialEq, JsonSchema)]
        pub(crate) enum $name { $($(#[$attr])* $value),* }
    };
}

declare_kind!(OneKind { Alpha, None });
declare_kind!(TwoKind { Alpha, Beta, None });
declare_kind!(FourKind {
    Alpha,
    Beta,
    Gamma,
    Delta,
    None
});
declare_kind!(EmptyKind {
    Alpha,
    Beta,
    None,
    #[serde(rename = "")]
    Nothing
});

fn beta() -> TwoKind {
    TwoKind::Beta
}

/// A visitor of all types, which checks the schema or the objects of each type.
pub(crate) trait Visit {
    fn visit<T: UnionType + JsonSchema + DeserializeOwned>(&mut self, name: &str, enforce: &str);
}

macro_rules! declare_types {
    ($($(#[$attr:meta])* struct $name:ident { $($body:tt)* })*) => {
        declare_types!(@declare cel = (enforce = "cel"), $($(#[$attr])* struct $name { $($body)* })*);
        declare_types!(@declare same_reason = (ratchet = "same_reason"), $($(#[$attr])* struct $name { $($body)* })*);
        declare_types!(@declare one_of = (enforce = "one_of"), $($(#[$attr])* struct $name { $($body)* })*);
        declare_types!(@declare none = (enforce = "none"), $($(#[$attr])* struct $name { $($body)* })*);

        /// Visits each type once for each kind of enforcement.
        pub(crate) fn visit_all(visitor: &mut impl Visit) {
            $(
                visitor.visit::<cel::$name>(stringify!($name), "cel");
                visitor.visit::<same_reason::$name>(stringify!($name), "same_reason");
                visitor.visit::<one_of::$name>(stringify!($name), "one_of");
                visitor.visit::<none::$name>(stringify!($name), "none");
            )*
        }
    };
    (@declare $module:ident = $enforcement:tt, $($(#[$attr:meta])* struct $name:ident { $($body:tt)* })*) => {
        mod $module {
            use super::*;

            $(
                #[derive(Union, Serialize, Deserialize, JsonSchema)]
                #[union $enforcement]
                #[schemars(transform = add_unions::<$name>)]
                $(#[$attr])*
                pub(crate) struct $name { $($body)* }
            )*
        }
    };
}

declare_types! {
    /// One member, and a value without a member.
    struct One {
        #[union(discriminator)]
        kind: OneKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
    }

    /// A required discriminator, two members, and a value without a member.
    struct Two {
        #[union(discriminator)]
        kind: TwoKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// Four members, one of them optional, in another order than their values.
    struct Four {
        #[union(discriminator)]
        kind: FourKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        delta: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<i64>,
    }

    /// An optional discriminator.
    struct Maybe {
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<TwoKind>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// An optional discriminator with the value `""`. An absent discriminator means this value.
    struct Empty {
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<EmptyKind>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// An optional discriminator, whose default value has a member.
    struct Defaulted {
        #[union(discriminator)]
        #[serde(default = "beta")]
        kind: TwoKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// The extension in the 2019 shape only.
    #[union(shape = "2019")]
    struct Listed {
        #[union(discriminator)]
        kind: TwoKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member, optional)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// The extension in both shapes.
    #[union(shape = "both")]
    struct Both {
        #[union(discriminator)]
        kind: TwoKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// A discriminator whose value is deduced from the members.
    struct Deduced {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<FourKind>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        delta: Option<i64>,
    }

    /// A discriminator whose value is deduced from the members. The value `""` means the same as an
    /// absent discriminator.
    struct DeducedEmpty {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<EmptyKind>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// A discriminator that follows the members and may be any string.
    struct DeducedText {
        #[union(discriminator, deduce)]
        #[serde(skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// No discriminator, and two members.
    struct AtMostOne {
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
    }

    /// No discriminator, and four members.
    struct AtMostOneOfFour {
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        delta: Option<i64>,
    }

    /// No discriminator, and exactly one member must be set.
    #[union(exactly_one)]
    struct ExactlyOne {
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<i64>,
    }

    /// One member, which must be set.
    #[union(exactly_one)]
    struct ExactlyThisOne {
        #[union(member, group = choice, alone)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
    }

    /// A struct whose fields are all members.
    #[union(all_members)]
    struct All {
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        beta: Option<i64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        gamma: Option<i64>,
    }

    /// Several unions in one struct.
    struct Several {
        #[union(discriminator)]
        from: OneKind,
        #[union(member, discriminated_by = from)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(discriminator)]
        #[serde(skip_serializing_if = "Option::is_none")]
        to: Option<TwoKind>,
        #[union(member = "Alpha", discriminated_by = to)]
        #[serde(skip_serializing_if = "Option::is_none")]
        disk: Option<i64>,
        #[union(member = "Beta", optional, discriminated_by = to)]
        #[serde(skip_serializing_if = "Option::is_none")]
        bucket: Option<i64>,
        #[union(member, group = side)]
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<i64>,
        #[union(member, group = side)]
        #[serde(skip_serializing_if = "Option::is_none")]
        right: Option<i64>,
    }

    /// Field names that CEL must escape.
    struct Names {
        #[union(discriminator)]
        #[serde(rename = "in")]
        kind: FourKind,
        #[union(member = "Alpha")]
        #[serde(rename = "x-y", skip_serializing_if = "Option::is_none")]
        a: Option<i64>,
        #[union(member = "Beta")]
        #[serde(rename = "namespace", skip_serializing_if = "Option::is_none")]
        b: Option<i64>,
        #[union(member = "Gamma", optional)]
        #[serde(rename = "x__y.z", skip_serializing_if = "Option::is_none")]
        c: Option<i64>,
    }

    /// Field names that CEL must escape, and a discriminator that follows the members.
    struct NamesDeduced {
        #[union(discriminator, deduce)]
        #[serde(rename = "my-kind", skip_serializing_if = "Option::is_none")]
        kind: Option<TwoKind>,
        #[union(member = "Alpha")]
        #[serde(rename = "x/y", skip_serializing_if = "Option::is_none")]
        a: Option<i64>,
        #[union(member = "Beta")]
        #[serde(rename = "true", skip_serializing_if = "Option::is_none")]
        b: Option<i64>,
    }

    /// A struct that other structs flatten.
    struct Inner {
        #[union(discriminator)]
        inner: OneKind,
        #[union(member = "Alpha")]
        #[serde(skip_serializing_if = "Option::is_none")]
        deep: Option<i64>,
    }

    /// A struct without a discriminator that other structs flatten.
    struct InnerGroup {
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        up: Option<i64>,
        #[union(member, group = choice)]
        #[serde(skip_serializing_if = "Option::is_none")]
        down: Option<i64>,
    }

    /// A struct with its own union and the unions of two flattened structs.
    struct Outer {
        #[union(discriminator)]
        kind: OneKind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<i64>,
        #[union(inline)]
        #[serde(flatten)]
        inner: Inner,
        #[union(inline)]
        #[serde(flatten)]
        group: InnerGroup,
    }
}
