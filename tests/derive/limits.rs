//! Tests of the largest number of values and members.

use serde::Serialize;
use union_runtime::{EnumType, EnumValue, Union};

use crate::{cleared_paths, error_paths};

/// Declares an enum and a union with the members `M0` to `M63`, and more values without members
/// after them.
macro_rules! declare_widest_union {
    ($($member:ident: $value:ident),*; $($empty:ident),*) => {
        #[derive(EnumType, Serialize, Clone, Copy, PartialEq, Debug)]
        enum Value { $($value,)* $($empty,)* }

        const MEMBERS: &[Value] = &[$(Value::$value),*];
        const VALUES_WITHOUT_MEMBER: &[Value] = &[$(Value::$empty),*];

        #[derive(Union, Serialize)]
        struct Widest {
            #[union(discriminator)]
            kind: Value,
            $(
                #[union(member)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<u8>,
            )*
        }

        impl Widest {
            /// Returns a value with no member set.
            const fn without_members(kind: Value) -> Self {
                Self { kind, $($member: None),* }
            }

            /// Returns a value with all members set.
            const fn with_all_members(kind: Value) -> Self {
                Self { kind, $($member: Some(1)),* }
            }
        }

        const NAMES: &[&str] = &[$(stringify!($member)),*];
    };
}

declare_widest_union! {
    m0: M0, m1: M1, m2: M2, m3: M3, m4: M4, m5: M5, m6: M6, m7: M7,
    m8: M8, m9: M9, m10: M10, m11: M11, m12: M12, m13: M13, m14: M14, m15: M15,
    m16: M16, m17: M17, m18: M18, m19: M19, m20: M20, m21: M21, m22: M22, m23: M23,
    m24: M24, m25: M25, m26: M26, m27: M27, m28: M28, m29: M29, m30: M30, m31: M31,
    m32: M32, m33: M33, m34: M34, m35: M35, m36: M36, m37: M37, m38: M38, m39: M39,
    m40: M40, m41: M41, m42: M42, m43: M43, m44: M44, m45: M45, m46: M46, m47: M47,
    m48: M48, m49: M49, m50: M50, m51: M51, m52: M52, m53: M53, m54: M54, m55: M55,
    m56: M56, m57: M57, m58: M58, m59: M59, m60: M60, m61: M61, m62: M62, m63: M63;
    E64, E65, E127, E128
}

#[test]
fn each_of_64_members_is_selected_by_its_value_alone() {
    assert_eq!(MEMBERS.len(), 64);
    for (value, name) in MEMBERS.iter().zip(NAMES) {
        assert_eq!(error_paths(&Widest::without_members(*value)), *name);
    }
}

#[test]
fn a_change_to_any_of_64_values_clears_the_63_others() {
    for (index, value) in MEMBERS.iter().enumerate() {
        let old = Widest::without_members(MEMBERS[(index + 1) % MEMBERS.len()]);
        let mut new = Widest::with_all_members(*value);
        let other_names: Vec<&str> = NAMES
            .iter()
            .copied()
            .filter(|name| name != &NAMES[index])
            .collect();
        assert_eq!(cleared_paths(&mut new, &old), other_names.join(" "));
        assert_eq!(error_paths(&new), "");
    }
}

#[test]
fn values_after_the_64th_are_known_and_have_no_member() {
    for (index, value) in VALUES_WITHOUT_MEMBER.iter().enumerate() {
        assert_eq!(value.value(), EnumValue::Known(64 + index));
        assert_eq!(error_paths(&Widest::without_members(*value)), "");
        assert_eq!(
            error_paths(&Widest::with_all_members(*value)),
            NAMES.join(" ")
        );
        let mut new = Widest::with_all_members(*value);
        assert_eq!(
            cleared_paths(&mut new, &Widest::without_members(Value::M0)),
            NAMES.join(" ")
        );
    }
}
