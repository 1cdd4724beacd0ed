//! A `UnionEnum` for each kind of union that an enum can express, once for each kind of
//! enforcement.

use union_runtime::{RawUnion, UnionEnum};

use crate::enforcement::types::Visit;

macro_rules! declare_types {
    ($($(#[$attr:meta])* enum $name:ident { $($body:tt)* })*) => {
        declare_types!(@declare cel = (enforce = "cel"), $($(#[$attr])* enum $name { $($body)* })*);
        declare_types!(@declare same_reason = (ratchet = "same_reason"), $($(#[$attr])* enum $name { $($body)* })*);
        declare_types!(@declare one_of = (enforce = "one_of"), $($(#[$attr])* enum $name { $($body)* })*);
        declare_types!(@declare none = (enforce = "none"), $($(#[$attr])* enum $name { $($body)* })*);

        /// Visits each enum once for each kind of enforcement.
        pub(crate) fn visit_all(visitor: &mut impl Visit) {
            $(
                visitor.visit::<cel::$name>(concat!("enum ", stringify!($name)), "cel");
                visitor.visit::<same_reason::$name>(concat!("enum ", stringify!($name)), "same_reason");
                visitor.visit::<one_of::$name>(concat!("enum ", stringify!($name)), "one_of");
                visitor.visit::<none::$name>(concat!("enum ", stringify!($name)), "none");
            )*
        }
    };
    (@declare $module:ident = $enforcement:tt, $($(#[$attr:meta])* enum $name:ident { $($body:tt)* })*) => {
        mod $module {
            use super::*;

            $(
                #[derive(UnionEnum)]
                #[union $enforcement]
                $(#[$attr])*
                pub(crate) enum $name { $($body)* #[union(other)] Other(RawUnion) }
            )*
        }
    };
}

declare_types! {
    /// A required discriminator, a value without a member, and a value with an optional member.
    #[union(discriminator = "kind")]
    enum Plain {
        None,
        Alpha(i64),
        Beta(Option<i64>),
        Gamma(Box<i64>),
    }

    /// An optional discriminator, whose default value has a member.
    #[union(discriminator = "kind")]
    enum Defaulted {
        #[union(default)]
        Alpha(i64),
        Beta(Option<i64>),
        None,
    }

    /// An optional discriminator, whose default value does not have a member.
    #[union(discriminator = "kind")]
    enum DefaultedToNone {
        Alpha(i64),
        #[union(default)]
        None,
    }

    /// An optional discriminator. If the discriminator is absent, no member is selected.
    #[union(discriminator = "kind")]
    enum Absent {
        Alpha(i64),
        #[union(absent)]
        Nothing,
        Beta(Option<i64>),
    }

    /// An optional discriminator with the value `""`. An absent discriminator means this value.
    #[union(discriminator = "kind")]
    enum Empty {
        Alpha(i64),
        Beta(Option<i64>),
        None,
        #[union(member = "")]
        Nothing,
    }

    /// The extension in the 2019 shape only.
    #[union(discriminator = "kind", shape = "2019")]
    enum Listed {
        Alpha(i64),
        Beta(Option<i64>),
        None,
    }

    /// No discriminator, and exactly one member must be set.
    #[union(undiscriminated)]
    enum ExactlyOne {
        Alpha(i64),
        Beta(i64),
        Gamma(i64),
    }

    /// No discriminator, and at most one member may be set.
    #[union(undiscriminated)]
    enum AtMostOne {
        Nothing,
        Alpha(i64),
        Beta(i64),
    }

    /// Field names that CEL must escape.
    #[union(discriminator = "if")]
    enum Names {
        #[union(member = "it's", field = "for")]
        For(i64),
        #[union(field = "a.b")]
        Dotted(Option<i64>),
        #[union(field = "in-valid")]
        Dashed(i64),
    }
}
