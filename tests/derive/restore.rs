//! Tests of the members that an update restores after a client dropped them (`RestoreUnaware`):
//! only members whose type is known to be `Clone`.

use std::cell::Cell;
use std::rc::Rc;

use serde::Serialize;
use union_runtime::spec::{UnionMember, UnionType as _};
use union_runtime::{EnumType, RestoreUnaware, Settings, Union};

#[derive(EnumType, Serialize, Clone, Copy)]
enum Kind {
    Alpha,
    Beta,
    Gamma,
}

/// A type that is not `Clone`.
#[derive(Serialize)]
struct NotClone(u8);

/// Updates `old` to `new`, and returns the object and the paths of the restored members, separated
/// by spaces.
fn restore_members<T: Union + Serialize>(mut new: T, old: &T) -> (T, String) {
    let settings = Settings::default().restore_unaware(RestoreUnaware::All);
    let changes = new.normalize_unions(Some(old), &settings);
    let paths: Vec<&str> = changes.restored().map(AsRef::as_ref).collect();
    let paths = paths.join(" ");
    (new, paths)
}

/// A type that counts its clones.
#[derive(Serialize)]
struct CloneCounter {
    #[serde(skip)]
    clones: Rc<Cell<u32>>,
    text: &'static str,
}

impl Clone for CloneCounter {
    fn clone(&self) -> Self {
        self.clones.set(self.clones.get() + 1);
        let clones = Rc::clone(&self.clones);
        Self { clones, ..*self }
    }
}

/// A union that is not `Clone`, although all of its members are.
#[derive(Union, Serialize)]
struct Concrete {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<CloneCounter>,
    #[union(member, optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Box<CloneCounter>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Box<Option<CloneCounter>>,
    fixed: NotClone,
}

#[test]
fn only_the_restored_member_is_cloned() {
    let clones = Rc::new(Cell::new(0));
    let clone_counter = |text| CloneCounter {
        clones: Rc::clone(&clones),
        text,
    };
    let without_members = |kind| Concrete {
        kind,
        alpha: None,
        beta: None,
        gamma: Box::new(None),
        fixed: NotClone(2),
    };
    // All members are set, so that an unnecessary clone of another member would be counted.
    let old = |kind| Concrete {
        kind,
        alpha: Some(clone_counter("alpha")),
        beta: Some(Box::new(clone_counter("beta"))),
        gamma: Box::new(Some(clone_counter("gamma"))),
        fixed: NotClone(1),
    };
    for (kind, path) in [
        (Kind::Alpha, "alpha"),
        (Kind::Beta, "beta"),
        (Kind::Gamma, "gamma"),
    ] {
        clones.set(0);
        let (new, paths) = restore_members(without_members(kind), &old(kind));
        assert_eq!((&*paths, clones.get(), new.fixed.0), (path, 1, 2));
        let member_texts = [
            new.alpha.map(|member| member.text),
            new.beta.map(|member| member.text),
            new.gamma.map(|member| member.text),
        ];
        assert_eq!(member_texts.iter().flatten().collect::<Vec<_>>(), [&path]);
    }
}

/// A handwritten member type that is `Clone`.
#[derive(Serialize, Clone)]
struct NonZero(u8);

impl UnionMember for NonZero {
    fn is_set(&self) -> bool {
        self.0 != 0
    }

    fn clear(&mut self) {
        self.0 = 0;
    }
}

#[derive(Union, Serialize)]
struct WithHandwrittenMember {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "is_zero")]
    alpha: NonZero,
}

fn is_zero(member: &NonZero) -> bool {
    !member.is_set()
}

#[test]
fn a_handwritten_member_is_restored() {
    let object = |alpha| WithHandwrittenMember {
        kind: Kind::Alpha,
        alpha: NonZero(alpha),
    };
    let (new, paths) = restore_members(object(0), &object(3));
    assert_eq!((&*paths, new.alpha.0), ("alpha", 3));
}

/// A union with a member that is not `Clone`.
#[derive(Union, Serialize)]
struct Mixed {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<NotClone>,
}

#[test]
fn each_member_is_restored_if_its_type_is_clone() {
    let object = |kind, alpha, beta: Option<u8>| Mixed {
        kind,
        alpha,
        beta: beta.map(NotClone),
    };
    let old = object(Kind::Alpha, Some(1), None);
    let (new, paths) = restore_members(object(Kind::Alpha, None, None), &old);
    assert_eq!((&*paths, new.alpha), ("alpha", Some(1)));
    let old_beta = object(Kind::Beta, None, Some(2));
    let (new, paths) = restore_members(object(Kind::Beta, None, None), &old_beta);
    assert_eq!((&*paths, new.beta.is_some()), ("", false));
    // Members that are not `Clone` can still be cleared.
    let mut new = object(Kind::Beta, Some(1), Some(2));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "alpha: cleared"
    );
    let mut new = object(Kind::Alpha, Some(1), Some(2));
    let old = object(Kind::Beta, None, Some(2));
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "beta: cleared"
    );
}

#[derive(Union, Serialize)]
struct Unbounded<T> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<String>,
}

#[derive(Union, Serialize)]
struct Bounded<T: Clone, U>
where
    U: Clone,
{
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<T>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Vec<U>>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<NotClone>,
}

#[test]
fn a_generic_member_is_restored_only_if_its_bounds_include_clone() {
    let object = |kind, alpha: Option<u8>, beta: Option<&str>| Unbounded {
        kind,
        alpha,
        beta: beta.map(str::to_owned),
    };
    // `T` has no `Clone` bound, so the derive cannot know that `u8` is `Clone`.
    let old = object(Kind::Alpha, Some(1), None);
    let (new, paths) = restore_members(object(Kind::Alpha, None, None), &old);
    assert_eq!((&*paths, new.alpha), ("", None));
    let old = object(Kind::Beta, None, Some("beta"));
    let (new, paths) = restore_members(object(Kind::Beta, None, None), &old);
    assert_eq!((&*paths, new.beta.as_deref()), ("beta", Some("beta")));
    // A member that cannot be restored can still be cleared.
    let mut new = object(Kind::Beta, Some(1), Some("beta"));
    let old = object(Kind::Alpha, Some(1), None);
    assert_eq!(
        new.normalize_unions(Some(&old), &Settings::default())
            .to_string(),
        "alpha: cleared"
    );
    assert_eq!(new.alpha, None);

    let object = |kind, alpha: Option<u8>, beta: Option<[u8; 2]>, gamma: Option<u8>| Bounded {
        kind,
        alpha,
        beta: beta.map(Vec::from),
        gamma: gamma.map(NotClone),
    };
    let without_members = |kind| object(kind, None, None, None);
    let (new, paths) = restore_members(
        without_members(Kind::Alpha),
        &object(Kind::Alpha, Some(1), None, None),
    );
    assert_eq!((&*paths, new.alpha), ("alpha", Some(1)));
    let (new, paths) = restore_members(
        without_members(Kind::Beta),
        &object(Kind::Beta, None, Some([1, 2]), None),
    );
    assert_eq!((&*paths, new.beta), ("beta", Some(vec![1, 2])));
    let (new, paths) = restore_members(
        without_members(Kind::Gamma),
        &object(Kind::Gamma, None, None, Some(1)),
    );
    assert_eq!((&*paths, new.gamma.is_some()), ("", false));
}

#[derive(Serialize, Clone)]
struct Words<'a, const N: usize> {
    #[serde(skip)]
    words: [&'a str; N],
}

#[derive(Union, Serialize)]
struct WithLifetime<'a, const N: usize> {
    #[union(discriminator)]
    kind: Kind,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'a [u8]>,
    #[union(member)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Words<'a, N>>,
}

#[test]
fn members_with_lifetime_and_const_parameters_are_restored() {
    let bytes = [1];
    let object = |kind, alpha, beta| WithLifetime::<'_, 2> { kind, alpha, beta };
    let without_members = |kind| object(kind, None, None);
    let old = object(Kind::Alpha, Some(&bytes[..]), None);
    let (new, paths) = restore_members(without_members(Kind::Alpha), &old);
    assert_eq!((&*paths, new.alpha), ("alpha", Some(&bytes[..])));
    let old = object(Kind::Beta, None, Some(Words { words: ["a", "b"] }));
    let (new, paths) = restore_members(without_members(Kind::Beta), &old);
    let words = new.beta.map(|words| words.words);
    assert_eq!((&*paths, words), ("beta", Some(["a", "b"])));
}

/// Declares a struct with two unions that together have more members than a tuple of the runtime.
macro_rules! declare_many_members {
    ($($group:ident: $($member:ident)+;)+) => {
        #[derive(Union, Serialize, Default)]
        struct Many {$($(
            #[union(member, group = $group)]
            #[serde(skip_serializing_if = "Option::is_none")]
            $member: Option<u8>,
        )+)+}

        impl Many {
            fn fields(&self) -> [Option<u8>; 11] {
                [$($(self.$member),+),+]
            }
        }
    };
}

declare_many_members! {
    first: a b c d e f g h i;
    second: j k;
}

#[test]
fn reset_member_changes_only_the_member_with_the_number() {
    let all_set = || Many {
        a: Some(0),
        b: Some(1),
        c: Some(2),
        d: Some(3),
        e: Some(4),
        f: Some(5),
        g: Some(6),
        h: Some(7),
        i: Some(8),
        j: Some(9),
        k: Some(10),
    };
    let positions = (0..9).map(|member| (0, member)).chain([(1, 0), (1, 1)]);
    let all_fields = all_set().fields();
    for (index, (union, member)) in positions.enumerate() {
        let mut expected = [None; 11];
        expected[index] = all_fields[index];
        let mut new = Many::default();
        assert!(new.reset_member(Some(&all_set()), union, member));
        assert_eq!(new.fields(), expected);

        let mut expected = all_fields;
        expected[index] = None;
        let mut new = all_set();
        assert!(new.reset_member(None, union, member));
        assert_eq!(new.fields(), expected);

        let [set_before, set_after] = [&all_set(), &new].map(|object| {
            let state = object.union_state(union).expect("a present value");
            state.members_set()
        });
        assert_eq!(set_before ^ set_after, 1 << member);
    }
    for (union, member) in [(0, 9), (1, 2), (2, 0)] {
        let mut new = all_set();
        assert!(!new.reset_member(None, union, member));
        assert_eq!(new.fields(), all_fields);
    }
}
