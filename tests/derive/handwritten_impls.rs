//! Tests of handwritten impls of `UnionType`: normalization reports only actual changes.

use union_json::union_spec;
use union_runtime::spec::{Selected, State, UnionSpec, UnionType};
use union_runtime::{Settings, Union};

/// A union of two members. `reset_member` does not support the member `fixed`.
#[derive(Clone)]
struct Choice {
    kind: &'static str,
    free: bool,
    fixed: bool,
}

static UNIONS: [UnionSpec<'static>; 1] = [union_spec! {
    discriminator = "kind",
    "Free" => optional "free",
    "Fixed" => optional "fixed",
    "None" => (),
}];

impl UnionType for Choice {
    fn unions() -> &'static [UnionSpec<'static>] {
        &UNIONS
    }

    fn union_state(&self, union: usize) -> Option<State<'_>> {
        let spec = UNIONS.get(union)?;
        let values = spec.discriminator()?.values();
        let value_index = values.iter().position(|value| value == self.kind);
        let selected = value_index.map_or(Selected::Unknown(self.kind), Selected::Known);
        Some(State::new(spec, selected, [self.free, self.fixed]))
    }

    fn reset_member(&mut self, old: Option<&Self>, union: usize, member: usize) -> bool {
        match (union, member) {
            (0, 0) => self.free = old.is_some_and(|old| old.free),
            _ => return false,
        }
        true
    }
}

#[test]
fn a_member_that_cannot_be_unset_is_not_reported_as_cleared() {
    for [free, fixed] in [[false, false], [false, true], [true, false], [true, true]] {
        let old = Choice {
            kind: "Free",
            free,
            fixed,
        };
        let mut new = Choice {
            kind: "None",
            ..old.clone()
        };
        let changes = new.normalize_unions(Some(&old), &Settings::default());
        let cleared_paths: Vec<_> = changes.cleared().collect();
        let expected: &[&str] = if free { &["free"] } else { &[] };
        assert_eq!(cleared_paths, expected);
        assert_eq!((new.free, new.fixed), (false, fixed));
        // The member `fixed` stays set although it is not selected, which is an error.
        assert_eq!(!new.validate_unions().is_accepted(), fixed);
    }
}

/// A union whose discriminator follows the members, but cannot be changed.
#[derive(Clone)]
struct DeducedChoice {
    free: bool,
}

static DEDUCED_UNIONS: [UnionSpec<'static>; 1] = [union_spec! {
    deduced discriminator = "kind",
    "Free" => "free",
    "Fixed" => "fixed",
}];

impl UnionType for DeducedChoice {
    fn unions() -> &'static [UnionSpec<'static>] {
        &DEDUCED_UNIONS
    }

    fn union_state(&self, union: usize) -> Option<State<'_>> {
        let spec = DEDUCED_UNIONS.get(union)?;
        Some(State::new(spec, Selected::Missing, [self.free, false]))
    }

    fn reset_member(&mut self, _: Option<&Self>, _: usize, _: usize) -> bool {
        false
    }
}

#[test]
fn a_discriminator_that_cannot_be_written_is_not_reported_as_set() {
    for free in [false, true] {
        let changes = DeducedChoice { free }.normalize_unions(None, &Settings::default());
        assert!(changes.is_empty(), "{changes}");
    }
}
