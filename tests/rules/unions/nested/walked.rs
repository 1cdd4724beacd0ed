//! Tests of the wrapper types around a struct with unions that `nested` looks into.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Serialize;
use union_runtime::Union;

/// A union whose members have types that the derive does not look into.
#[derive(Union, Serialize, Default)]
struct Choice {
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<&'static str>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<Cow<'static, str>>,
    #[union(member, group = choice)]
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Box<Option<u8>>,
}

/// A string type of an author, which is used as a map key.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Name(&'static str);

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.0
    }
}

#[derive(Union)]
struct Holder {
    #[union(nested)]
    in_each_other: Option<Vec<Option<Box<Choice>>>>,
    #[union(nested)]
    by_name: BTreeMap<Name, Vec<Choice>>,
    #[union(nested)]
    by_text: HashMap<Arc<str>, Choice>,
    #[union(nested)]
    by_box: HashMap<Box<str>, Choice>,
}

fn invalid_choice() -> Choice {
    Choice {
        alpha: Some("a"),
        beta: Some("b".into()),
        gamma: Box::new(Some(1)),
    }
}

#[test]
fn unions_inside_owning_wrappers_are_validated() {
    let holder = Holder {
        in_each_other: Some(vec![None, Some(Box::new(invalid_choice()))]),
        by_name: BTreeMap::from([(Name("n"), vec![Choice::default(), invalid_choice()])]),
        by_text: HashMap::from([
            ("z".into(), invalid_choice()),
            ("y".into(), invalid_choice()),
        ]),
        by_box: HashMap::from([("b".into(), invalid_choice())]),
    };
    let report = holder.validate_unions();
    let paths: Vec<&str> = report
        .errors()
        .iter()
        .map(|violation| violation.path().as_str())
        .collect();
    assert_eq!(
        paths,
        [
            "in_each_other[1]",
            "by_name[n][1]",
            "by_text[y]",
            "by_text[z]",
            "by_box[b]",
        ]
    );
}
