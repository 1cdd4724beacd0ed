//! Benches that count instructions, in the same rows as `typed.rs`. Every number is for 1024
//! objects.
//!
//! The command is `cargo bench -p union-benches --features instructions --bench instructions`. The
//! benches need valgrind and `cargo install gungraun-runner`.
#![expect(missing_docs, reason = "gungraun's macros write public items")]

use gungraun::{library_benchmark, library_benchmark_group, main};
use union_benches::enums::{DerivedEnum, HandWrittenEnum, json_strings, read_each};
use union_benches::{
    Check, Update, by_hand, derived, for_each_object, for_each_update, for_each_update_mut,
    objects, read_one_field,
};

/// The implementation to measure.
#[derive(Clone, Copy)]
enum Implementation {
    Hand,
    Derive,
}

/// Validates new objects.
fn create(objects: &[Check], implementation: Implementation) {
    match implementation {
        Implementation::Hand => for_each_object(objects, by_hand::validate),
        Implementation::Derive => for_each_object(objects, derived::validate),
    }
}

/// Validates updates.
fn update(updates: &[Update], implementation: Implementation) {
    match implementation {
        Implementation::Hand => for_each_update(updates, by_hand::validate_update),
        Implementation::Derive => for_each_update(updates, derived::validate_update),
    }
}

fn normalize(updates: &mut [Update], implementation: Implementation) {
    match implementation {
        Implementation::Hand => for_each_update_mut(updates, by_hand::normalize),
        Implementation::Derive => for_each_update_mut(updates, derived::normalize),
    }
}

/// Defines the benches of a row: by hand, and by the derive, on the same objects. A bench returns
/// the objects, so that the count does not include dropping them.
macro_rules! row {
    ($name:ident, $measure:ident, $objects:ident, $object:ty) => {
        #[library_benchmark]
        #[bench::by_hand(objects::$objects(), Implementation::Hand)]
        #[bench::derived(objects::$objects(), Implementation::Derive)]
        fn $name(mut objects: Vec<$object>, implementation: Implementation) -> Vec<$object> {
            $measure(&mut objects, implementation);
            objects
        }
    };
}

row!(validate_mixed, create, mixed, Check);
row!(validate_one_type, create, one_type, Check);
row!(validate_invalid, create, invalid, Check);
row!(update_echo, update, echoes, Update);
row!(update_switch, update, switches, Update);
row!(update_ratcheted, update, ratcheted, Update);
row!(normalize_echo, normalize, echoes, Update);
row!(normalize_switch, normalize, switches, Update);
row!(normalize_stale, normalize, stale, Update);

// This bench deserializes JSON strings to an enum.
#[library_benchmark]
#[bench::by_hand(json_strings(), Implementation::Hand)]
#[bench::derived(json_strings(), Implementation::Derive)]
fn read_enum(json_strings: Vec<String>, implementation: Implementation) -> Vec<String> {
    match implementation {
        Implementation::Hand => read_each::<HandWrittenEnum>(&json_strings),
        Implementation::Derive => read_each::<DerivedEnum>(&json_strings),
    }
    json_strings
}

// This bench measures the second form of hand-written code. Compare with `validate_mixed`.
#[library_benchmark]
#[bench::by_hand(objects::mixed())]
fn validate_mixed_by_match(objects: Vec<Check>) -> Vec<Check> {
    for_each_object(&objects, by_hand::validate_by_match);
    objects
}

// This bench measures the cost of the loop and of the call alone.
#[library_benchmark]
#[bench::walk(objects::mixed())]
fn nothing_at_all(objects: Vec<Check>) -> Vec<Check> {
    for_each_object(&objects, read_one_field);
    objects
}

library_benchmark_group!(
    name = rows,
    benchmarks = [
        validate_mixed,
        validate_mixed_by_match,
        validate_one_type,
        validate_invalid,
        update_echo,
        update_switch,
        update_ratcheted,
        normalize_echo,
        normalize_switch,
        normalize_stale,
        read_enum,
        nothing_at_all,
    ]
);

main!(library_benchmark_groups = rows);
