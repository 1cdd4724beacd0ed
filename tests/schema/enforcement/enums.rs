//! A `UnionEnum` for each kind of union that an enum can express, once for each kind of
//! enforcement.

use union_runtime::{RawUnion, UnionEnum};

use crate::enforcement::types::Visit;

macro_rules! worlds {
    ($($(#[$attr:meta])* enum $name:ident { $($body:tt)* })*) => {
        worlds!(@of cel = (enforce = "cel"), $($(#[$attr])* enum $name { $($body)* })*);
        worlds!(@of same_reason = (ratchet = "same_reason"), $($(#[$attr])* enum $name { $($body)* })*);
        worlds!(@of one_of = (enforce = "one_of"), $($(#[$attr])* enum $name { $($body)* })*);
        worlds!(@of none = (enforce = "none"), $($(#[$attr])* enum $name { $($body)* })*);

        /// Visits each enum once for each kind of enforcement.
        pub(crate) fn each(visit: &mut impl Visit) {
            $(
                visit.visit::<cel::$name>(concat!("enum ", stringify!($name)), "cel");
                visit.visit::<same_reason::$name>(concat!("enum ", stringify!($name)), "same_reason");
                visit.visit::<one_of::$name>(concat!("enum ", stringify!($name)), "one_of");
                visit.visit::<none::$name>(concat!("enum ", stringify!($name)), "none");
            )*
        }
    };
    (@of $module:ident = $way:tt, $($(#[$attr:meta])* enum $name:ident { $($body:tt)* })*) => {
        mod $module {
            use super::*;

            $(
                #[derive(UnionEnum)]
                #[union $way]
                $(#[$attr])*
                pub(crate) enum $name { $($body)* #[union(other)] Other(RawUnion) }
            )*
        }
    };
}

worlds! {
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
