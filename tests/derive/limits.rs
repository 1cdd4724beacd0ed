//! Tests of the largest number of values and members.

use serde::Serialize;
use union_runtime::{EnumType, EnumValue, Union};

use crate::{cleared, wrong};

/// Declares an enum and a union with the members `M0` to `M63`, and more values without members
/// after them.
macro_rules! widest {
    ($($member:ident: $value:ident),*; $($empty:ident),*) => {
        #[derive(EnumType, Serialize, Clone, Copy, PartialEq, Debug)]
        enum Value { $($value,)* $($empty,)* }

        const MEMBERS: &[Value] = &[$(Value::$value),*];
        const EMPTY: &[Value] = &[$(Value::$empty),*];

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
            const fn of(kind: Value) -> Self {
                Self { kind, $($member: None),* }
            }

            /// Returns a value with all members set.
            const fn full(kind: Value) -> Self {
                Self { kind, $($member: Some(1)),* }
            }
        }

        const NAMES: &[&str] = &[$(stringify!($member)),*];
    };
}

widest! {
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
        assert_eq!(wrong(&Widest::of(*value)), *name);
    }
}

#[test]
fn a_change_to_any_of_64_values_clears_the_63_others() {
    for (i, value) in MEMBERS.iter().enumerate() {
        let old = Widest::of(MEMBERS[(i + 1) % MEMBERS.len()]);
        let mut new = Widest::full(*value);
        let others: Vec<&str> = NAMES
            .iter()
            .copied()
            .filter(|name| name != &NAMES[i])
            .collect();
        assert_eq!(cleared(&mut new, &old), others.join(" "));
        assert_eq!(wrong(&new), "");
    }
}

#[test]
fn values_behind_the_64th_are_known_and_have_no_member() {
    for (i, value) in EMPTY.iter().enumerate() {
        assert_eq!(value.value(), EnumValue::Known(64 + i));
        assert_eq!(wrong(&Widest::of(*value)), "");
        assert_eq!(wrong(&Widest::full(*value)), NAMES.join(" "));
        let mut new = Widest::full(*value);
        assert_eq!(cleared(&mut new, &Widest::of(Value::M0)), NAMES.join(" "));
    }
}
