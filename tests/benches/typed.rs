//! Benches that measure time: `cargo bench -p union-benches --bench typed`. Every number is for
//! 1024 objects.

use divan::Bencher;
use divan::counter::ItemsCount;
use union_benches::{
    Check, Update, for_each_object, for_each_update, for_each_update_mut, objects,
};

fn main() {
    divan::main();
}

fn create<R>(bencher: Bencher<'_, '_>, objects: &[Check], check: fn(&Check) -> R) {
    bencher
        .counter(ItemsCount::new(objects.len()))
        .bench(|| for_each_object(objects, check));
}

fn update<R>(bencher: Bencher<'_, '_>, updates: &[Update], check: fn(&Check, &Check) -> R) {
    bencher
        .counter(ItemsCount::new(updates.len()))
        .bench(|| for_each_update(updates, check));
}

fn normalize<R>(
    bencher: Bencher<'_, '_>,
    updates: &[Update],
    normalize: fn(&mut Check, Option<&Check>) -> R,
) {
    bencher
        .counter(ItemsCount::new(updates.len()))
        .with_inputs(|| updates.to_vec())
        .bench_refs(|updates| for_each_update_mut(updates, normalize));
}

/// Defines the benches of a row of the report: by hand, and by the derive, on the same objects.
macro_rules! row {
    ($name:ident, $measure:ident, $function:ident, $objects:ident) => {
        mod $name {
            #[divan::bench]
            fn by_hand(bencher: divan::Bencher<'_, '_>) {
                let objects = union_benches::objects::$objects();
                super::$measure(bencher, &objects, union_benches::by_hand::$function);
            }

            #[divan::bench]
            fn derived(bencher: divan::Bencher<'_, '_>) {
                let objects = union_benches::objects::$objects();
                super::$measure(bencher, &objects, union_benches::derived::$function);
            }
        }
    };
}

row!(validate_mixed, create, validate, mixed);
row!(validate_one_type, create, validate, one_type);
row!(validate_invalid, create, validate, invalid);
row!(update_echo, update, validate_update, echoes);
row!(update_switch, update, validate_update, switches);
row!(update_ratcheted, update, validate_update, ratcheted);
row!(normalize_echo, normalize, normalize, echoes);
row!(normalize_switch, normalize, normalize, switches);
row!(normalize_stale, normalize, normalize, stale);

/// The second form of hand-written code. Compare with `validate_mixed`.
mod validate_mixed_by_match {
    use union_benches::{by_hand, objects};

    #[divan::bench]
    fn by_hand(bencher: divan::Bencher<'_, '_>) {
        super::create(bencher, &objects::mixed(), by_hand::validate_by_match);
    }
}

/// Benches that deserialize JSON strings to an enum.
mod read_enum {
    use divan::Bencher;
    use divan::counter::ItemsCount;
    use union_benches::enums::{DerivedEnum, HandWrittenEnum, json_strings, read_each};

    #[divan::bench]
    fn by_hand(bencher: Bencher<'_, '_>) {
        let json_strings = json_strings();
        bencher
            .counter(ItemsCount::new(json_strings.len()))
            .bench(|| read_each::<HandWrittenEnum>(&json_strings));
    }

    #[divan::bench]
    fn derived(bencher: Bencher<'_, '_>) {
        let json_strings = json_strings();
        bencher
            .counter(ItemsCount::new(json_strings.len()))
            .bench(|| read_each::<DerivedEnum>(&json_strings));
    }
}

/// Measures the cost of the loop and of the call alone.
#[divan::bench]
fn nothing(bencher: Bencher<'_, '_>) {
    create(bencher, &objects::mixed(), union_benches::read_one_field);
}
