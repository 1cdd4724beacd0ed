//! Tests of all small objects: every set of members with every state of the discriminator, for the
//! new and the old object.

use crate::unions::whole_model::samples::{
    All, AtMostOne1, AtMostOne2, AtMostOne3, AtMostOne4, Empty, ExactlyOne1, ExactlyOne2,
    ExactlyOne3, ExactlyOne4, FourTexts, Nothing, One, Optional, OptionalEmpty, OptionalText,
    Required, RequiredText, Strict, Text,
};
use crate::unions::whole_model::states::{check_creates, check_updates};

/// Declares the tests of a type. The expected number of objects shows if a change of the tests
/// drops states.
macro_rules! all_objects {
    ($($create:ident $update:ident: $ty:ty, $objects:literal;)*) => {$(
        #[test]
        fn $create() {
            assert_eq!(check_creates::<$ty>(), $objects);
        }

        #[test]
        fn $update() {
            assert_eq!(check_updates::<$ty>(), $objects * $objects);
        }
    )*};
}

all_objects! {
    a_required_enum_is_deduced_on_create a_required_enum_is_deduced_on_update: Required, 20;
    an_optional_enum_is_deduced_on_create an_optional_enum_is_deduced_on_update: Optional, 24;
    a_closed_enum_is_deduced_on_create a_closed_enum_is_deduced_on_update: Strict, 32;
    an_enum_with_an_empty_value_is_deduced_on_create
    an_enum_with_an_empty_value_is_deduced_on_update: Empty, 48;
    an_optional_enum_with_an_empty_value_is_deduced_on_create
    an_optional_enum_with_an_empty_value_is_deduced_on_update: OptionalEmpty, 56;
    an_enum_with_a_nothing_value_is_deduced_on_create
    an_enum_with_a_nothing_value_is_deduced_on_update: Nothing, 64;
    an_enum_with_all_sorts_of_values_is_deduced_on_create
    an_enum_with_all_sorts_of_values_is_deduced_on_update: All, 144;
    an_enum_over_one_member_is_deduced_on_create
    an_enum_over_one_member_is_deduced_on_update: One, 10;
    a_text_is_deduced_on_create a_text_is_deduced_on_update: Text, 24;
    a_required_text_is_deduced_on_create a_required_text_is_deduced_on_update: RequiredText, 10;
    an_optional_text_is_deduced_on_create an_optional_text_is_deduced_on_update: OptionalText, 64;
    a_text_over_four_members_is_deduced_on_create
    a_text_over_four_members_is_deduced_on_update: FourTexts, 144;
    at_most_one_of_one_is_validated_on_create at_most_one_of_one_is_validated_on_update: AtMostOne1, 2;
    at_most_one_of_two_is_validated_on_create at_most_one_of_two_is_validated_on_update: AtMostOne2, 4;
    at_most_one_of_three_is_validated_on_create at_most_one_of_three_is_validated_on_update: AtMostOne3, 8;
    at_most_one_of_four_is_validated_on_create at_most_one_of_four_is_validated_on_update: AtMostOne4, 16;
    exactly_one_of_one_is_validated_on_create exactly_one_of_one_is_validated_on_update: ExactlyOne1, 2;
    exactly_one_of_two_is_validated_on_create exactly_one_of_two_is_validated_on_update: ExactlyOne2, 4;
    exactly_one_of_three_is_validated_on_create exactly_one_of_three_is_validated_on_update: ExactlyOne3, 8;
    exactly_one_of_four_is_validated_on_create exactly_one_of_four_is_validated_on_update: ExactlyOne4, 16;
}
