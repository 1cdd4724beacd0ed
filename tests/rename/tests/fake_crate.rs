//! Tests that every path in generated code begins with the path of `crate = path`.
//!
//! The path here leads to a module that only looks like the runtime, so the derives implement the
//! traits of the module instead of the real traits.

mod fake {
    //! The items of the runtime that generated code names, none of which is real.

    /// The description of a union.
    pub(crate) struct UnionSpec<'a>(pub(crate) &'a str);

    /// The selected value and the set members.
    pub(crate) struct State<'a>(pub(crate) &'a str, pub(crate) Vec<bool>);

    /// The value of an enum type.
    pub(crate) enum EnumValue<'a> {
        Known(usize),
        Unknown(&'a str),
    }

    impl EnumValue<'_> {
        pub(crate) fn parse<E: EnumType>(text: &str) -> EnumValue<'_> {
            EnumValue::Unknown(text)
        }
    }

    impl<'a> State<'a> {
        pub(crate) fn new<const N: usize>(
            _: &UnionSpec<'_>,
            selected: &'a str,
            set: [bool; N],
        ) -> Self {
            Self(selected, set.into())
        }
    }

    pub(crate) mod spec {
        use super::{State, UnionSpec};

        pub(crate) trait UnionType {
            fn unions() -> &'static [UnionSpec<'static>];
            fn union_state(&self, union: usize) -> Option<State<'_>>;
            fn reset_member(&mut self, old: Option<&Self>, union: usize, member: usize) -> bool;
        }
    }

    pub(crate) trait EnumType {
        const VALUES: &'static [&'static str];
        const DOCS: &'static [&'static str];
        const KEYS: &'static [u64];
        const KEEPS_UNKNOWN: bool;
        fn value(&self) -> EnumValue<'_>;
        fn from_index(position: usize) -> Option<Self>
        where
            Self: Sized;
        fn json_error() -> Option<String>;
    }

    pub(crate) trait Discriminator {
        const FACTS: &'static str;
        fn selected(&self) -> &str;
    }

    impl<E: EnumType> Discriminator for E {
        const FACTS: &'static str = E::VALUES[0];

        fn selected(&self) -> &str {
            match self.value() {
                EnumValue::Known(i) => E::VALUES[i],
                EnumValue::Unknown(text) => text,
            }
        }
    }

    pub(crate) mod __private {
        use std::sync::atomic::AtomicUsize;

        use super::UnionSpec;

        pub(crate) use std::string::String;

        pub(crate) struct Probe<T>(core::marker::PhantomData<T>);

        pub(crate) trait ProbeDefaults {
            const SCHEMA_WITHOUT_UNION: () = ();
            const SCHEMA_WITHOUT_VALUES: () = ();

            /// An error, which the real function does not return.
            fn json_error() -> Option<String> {
                Some("fake".to_owned())
            }
        }

        impl<T> ProbeDefaults for Probe<T> {}

        /// A number for each call of `reset_member`, computed from its arguments, and added up.
        pub(crate) static RESETS: AtomicUsize = AtomicUsize::new(0);

        /// Sets the member, which the real macro clears.
        macro_rules! fake_reset {
            ($self:ident $($position:tt $field:ident [])*) => {
                fn reset_member(&mut self, old: Option<&Self>, union: usize, member: usize) -> bool {
                    let relaxed = std::sync::atomic::Ordering::Relaxed;
                    crate::fake::__private::RESETS.fetch_add(10 + 2 * union + member, relaxed);
                    match (union, member) {
                        $($position => self.$field = Some(99),)*
                        _ => {}
                    }
                    old.is_some()
                }
            };
        }

        pub(crate) use fake_reset as reset;

        pub(crate) const fn discriminator(
            _: &str,
            facts: &'static str,
            _: bool,
            _: bool,
            _: &[(&str, u64, bool)],
        ) -> &'static str {
            facts
        }

        pub(crate) const fn member(union: &'static str) -> &'static str {
            union
        }

        pub(crate) const fn member_with_value(union: &'static str, _: &str) -> &'static str {
            union
        }

        /// The opposite of the real function: a member that is unset counts as set.
        pub(crate) fn state<'a, T: super::spec::UnionType>(
            _: &T,
            union: usize,
            (alpha, (beta, _)): (&Option<u8>, (&Option<u8>, [bool; 0])),
            selected: &'a str,
        ) -> Option<super::State<'a>> {
            let set = [alpha.is_none(), beta.is_none()];
            Some(super::State::new(T::unions().get(union)?, selected, set))
        }

        pub(crate) const fn union(union: &'static str) -> [UnionSpec<'static>; 1] {
            [UnionSpec(union)]
        }
    }
}

use core::marker::PhantomData;

use serde::Serialize;

#[derive(renamed::EnumType, Serialize)]
#[enum_type(crate = crate::fake)]
enum Kind {
    Alpha,
    #[enum_type(other)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(renamed::Union, Serialize)]
#[union(crate = fake)]
struct UnionOfFakeRuntime {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "No value, which the fake does not mind")]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

/// A probe whose constants `IS_UNION` and `IS_ENUM_TYPE` are true if `T` implements the real
/// traits.
struct RealTraitProbe<T>(PhantomData<T>);

trait RealTraitDefaults {
    const IS_UNION: bool = false;
    const IS_ENUM_TYPE: bool = false;
}

impl<T> RealTraitDefaults for RealTraitProbe<T> {}

impl<T: renamed::spec::UnionType> RealTraitProbe<T> {
    const IS_UNION: bool = true;
}

impl<T: renamed::EnumType> RealTraitProbe<T> {
    const IS_ENUM_TYPE: bool = true;
}

#[derive(renamed::EnumType, Serialize)]
#[enum_type(crate = renamed)]
enum RealKind {
    Alpha,
}

#[derive(renamed::Union, Serialize)]
#[union(crate = renamed)]
struct RealUnion {
    #[union(discriminator)]
    kind: RealKind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
}

#[test]
fn the_traits_of_the_path_are_implemented() {
    let mut union = UnionOfFakeRuntime {
        kind: Kind::Alpha,
        alpha: None,
        beta: Some(1),
    };
    assert_eq!(
        <UnionOfFakeRuntime as fake::spec::UnionType>::unions()[0].0,
        "Alpha"
    );
    let state = fake::spec::UnionType::union_state(&union, 0).expect("the type has one union");
    assert!(fake::spec::UnionType::union_state(&union, 1).is_none());
    assert_eq!((state.0, state.1), ("Alpha", vec![true, false]));
    assert!(!fake::spec::UnionType::reset_member(&mut union, None, 0, 1));
    assert_eq!((union.alpha, union.beta), (None, Some(99)));
    let old_union = UnionOfFakeRuntime {
        kind: Kind::Alpha,
        ..union
    };
    assert!(fake::spec::UnionType::reset_member(
        &mut union,
        Some(&old_union),
        0,
        0
    ));
    assert_eq!(union.alpha, Some(99));
    let reset_sum = fake::__private::RESETS.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(reset_sum, 11 + 10);
    union.kind = Kind::Unknown("Gamma".to_owned());
    let state = fake::spec::UnionType::union_state(&union, 0).expect("the type has one union");
    assert_eq!(state.0, "Gamma");
    assert_eq!(<Kind as fake::EnumType>::DOCS, [""]);
    assert_eq!(
        <Kind as fake::EnumType>::json_error().as_deref(),
        Some("fake")
    );
    const { assert!(<Kind as fake::EnumType>::KEEPS_UNKNOWN) };
    assert_eq!(<Kind as fake::EnumType>::KEYS.len(), 1);
    assert!(<Kind as fake::EnumType>::from_index(1).is_none());
}

#[test]
fn the_real_traits_are_not_implemented() {
    let fake_types = (
        RealTraitProbe::<UnionOfFakeRuntime>::IS_UNION,
        RealTraitProbe::<Kind>::IS_ENUM_TYPE,
    );
    assert_eq!(fake_types, (false, false));
    let real_types = (
        RealTraitProbe::<RealUnion>::IS_UNION,
        RealTraitProbe::<RealKind>::IS_ENUM_TYPE,
    );
    assert_eq!(real_types, (true, true));
    let union = RealUnion {
        kind: RealKind::Alpha,
        alpha: None,
    };
    assert!(!renamed::Union::validate_unions(&union).is_accepted());
}
