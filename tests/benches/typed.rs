//! Time: `cargo bench -p union-benches --bench typed`. Every number is for 1024 objects.

use divan::Bencher;
use divan::counter::ItemsCount;
use union_benches::{Check, Update, by_hand, each, each_update, each_update_mut, objects};
use union_runtime::Union as _;

fn main() {
    divan::main();
}

fn create<R>(bencher: Bencher<'_, '_>, objects: &[Check], check: impl Fn(&Check) -> R + Sync) {
    bencher
        .counter(ItemsCount::new(objects.len()))
        .bench(|| each(objects, &check));
}

fn update<R>(
    bencher: Bencher<'_, '_>,
    updates: &[Update],
    check: impl Fn(&Check, &Check) -> R + Sync,
) {
    bencher
        .counter(ItemsCount::new(updates.len()))
        .bench(|| each_update(updates, &check));
}

fn normalize<R>(
    bencher: Bencher<'_, '_>,
    updates: &[Update],
    normalize: impl Fn(&mut Check, Option<&Check>) -> R + Sync,
) {
    bencher
        .counter(ItemsCount::new(updates.len()))
        .with_inputs(|| updates.to_vec())
        .bench_refs(|updates| each_update_mut(updates, &normalize));
}

/// A row: the same objects, first by hand, then by the derive.
macro_rules! row {
    ($name:ident, $measure:ident, $objects:expr, $by_hand:expr, $derived:expr) => {
        mod $name {
            use super::*;

            #[divan::bench(sample_count = 400)]
            fn by_hand(bencher: Bencher<'_, '_>) {
                $measure(bencher, &$objects, $by_hand);
            }

            #[divan::bench(sample_count = 400)]
            fn derived(bencher: Bencher<'_, '_>) {
                $measure(bencher, &$objects, $derived);
            }
        }
    };
}

row!(
    validate_mixed,
    create,
    objects::mixed(),
    by_hand::validate,
    Check::validate_unions
);
row!(
    validate_one_type,
    create,
    objects::one_type(),
    by_hand::validate,
    Check::validate_unions
);
row!(
    validate_invalid,
    create,
    objects::invalid(),
    by_hand::validate,
    Check::validate_unions
);
row!(
    update_echo,
    update,
    objects::echoes(),
    by_hand::validate_update,
    Check::validate_unions_update
);
row!(
    update_switch,
    update,
    objects::switches(),
    by_hand::validate_update,
    Check::validate_unions_update
);
row!(
    update_ratcheted,
    update,
    objects::ratcheted(),
    by_hand::validate_update,
    Check::validate_unions_update
);
row!(
    normalize_echo,
    normalize,
    objects::echoes(),
    by_hand::normalize,
    Check::normalize_unions
);
row!(
    normalize_switch,
    normalize,
    objects::switches(),
    by_hand::normalize,
    Check::normalize_unions
);
row!(
    normalize_stale,
    normalize,
    objects::stale(),
    by_hand::normalize,
    Check::normalize_unions
);

/// What the walk itself takes: the same in all rows of a kind.
mod nothing {
    use super::*;

    #[divan::bench(sample_count = 400)]
    fn walk(bencher: Bencher<'_, '_>) {
        create(bencher, &objects::mixed(), |_| ());
    }
}
