//! Random metadata.

use k8s_crd_validation::metadata::decode;
use serde_json::{Map, Value, json};

use crate::random::Random;

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "", "a", "a-", "-a", "A", "a.b", "a..b", "a/b", "a%b", ".", "..", "my-name", "a-.b", "ä", "a\n", "x y", "a.b-",
    "-", "--", "a.-", "é-",
];
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "a", "A.b_c-d", "example.com/a", "example.com/", "/a", "a/b/c", "Example.com/a", "ex_ample/a", "-a", "a b", "",
    "a..b/c", "kubernetes.io/x", "a-", "ä", "\u{212a}", "a\u{130}", "orphan", "foregroundDeletion", "x/-",
];
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "2020-02-29T01:02:03Z", "2020-02-29T01:02:03.5Z", "2020-02-29T01:02:03,123456789+01:30", "2020-02-29T1:02:03Z",
    "2020-02-30T01:02:03Z", "2020-13-01T01:02:03Z", "2020-00-01T01:02:03Z", "2020-01-00T01:02:03Z",
    "2020-01-01T24:02:03Z", "2020-01-01T01:60:03Z", "2020-01-01T01:02:60Z", "2020-01-01 01:02:03Z", "2020-01-01",
    "0001-01-01T00:00:00Z", "0001-01-01T01:00:00+01:00", "9999-12-31T23:59:59Z", "1969-12-31T23:59:59-23:59",
    "2020-01-01T01:02:03+24:60", "2020-01-01T01:02:03+25:00", "2020-01-01T01:02:03+00:61", "2020-01-01T01:02:03",
    "2020-01-01T01:02:03Zx", "2020-01-01T01:02:03é", "x", "", "202\"", "2020-01-01T01:02:03+25:xx",
    "2020-01-01T01:02:03+25:99", "2020-01-01T01:02:03*01:00", "2020-01-01T01:02:03+01-00", "1900-03-01T00:00:00Z",
    "2000-12-31T23:59:60Z", "2020-1-01T01:02:03Z", "0000-03-01T00:00:00Z",
];

/// Returns a name. In most cases, the name is valid. In the other cases, the name is from the list,
/// is long, or is changed.
fn name(random: &mut Random, names: &[&str]) -> String {
    if !random.once_in(6) {
        return random.part(&["a", "my-name", "b0", "x-1-y"]).to_owned();
    }
    match random.below(12) {
        0 => "a".repeat(60 + random.below(8)),
        1 => "a.".repeat(124 + random.below(5)) + random.part(&["", "a", "-"]),
        2 => {
            let name = random.part(names);
            random.mutated(name, &["-", ".", "/", "a", "A", "_"])
        }
        3 => format!(
            "{}/{}",
            "b".repeat(250 + random.below(6)),
            random.part(names)
        ),
        _ => random.part(names).to_owned(),
    }
}

/// Returns any value, which is rarely valid.
fn anything(random: &mut Random) -> Value {
    match random.below(11) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(7),
        3 => json!(1.5),
        4 => json!(3.0),
        5 => json!(18_446_744_073_709_551_615_u64),
        6 => json!(1e30),
        7 => json!("text"),
        8 => json!([1, null]),
        9 => json!({ "b": [], "a": 1 }),
        _ => json!({}),
    }
}

/// Returns the value, or with a probability of 1 in `once_in * 4` a value of any type. With
/// `once_in` 0, always returns the value.
pub(crate) fn or_anything(random: &mut Random, value: Value, once_in: usize) -> Value {
    if once_in > 0 && random.once_in(once_in * 4) {
        return anything(random);
    }
    value
}

/// Returns metadata. If `wrong` is 0, each field has the right type. Otherwise, a smaller number
/// gives more fields a value of any type (see [`or_anything`]).
pub(crate) fn metadata(random: &mut Random, wrong: usize) -> Value {
    if wrong > 0 && random.once_in(50) {
        return anything(random);
    }
    let mut fields = Map::new();
    let mut add =
        |random: &mut Random, name: &str, times: usize, value: fn(&mut Random, usize) -> Value| {
            if random.once_in(times) {
                let value = value(random, wrong);
                fields.insert(name.to_owned(), or_anything(random, value, wrong));
            }
        };
    add(random, "name", 1, |random, _| name(random, NAMES).into());
    add(random, "generateName", 4, |random, _| {
        name(random, NAMES).into()
    });
    add(random, "namespace", 2, |random, _| {
        name(random, NAMES).into()
    });
    add(random, "uid", 3, |random, _| {
        random.part(&["u", "", "<v>", "ü\u{1}\u{2028}"]).into()
    });
    add(random, "resourceVersion", 2, |random, _| {
        random.part(&["", "7"]).into()
    });
    add(random, "selfLink", 9, |random, _| {
        random.part(&["", "/x"]).into()
    });
    add(random, "generation", 3, |random, _| {
        random
            .pick(&[json!(0), json!(-1), json!(5), json!(2.0), json!(i64::MIN)])
            .clone()
    });
    add(random, "creationTimestamp", 4, time);
    add(random, "deletionTimestamp", 4, time);
    add(random, "deletionGracePeriodSeconds", 4, |random, _| {
        random.pick(&[json!(0), json!(30)]).clone()
    });
    add(random, "labels", 2, texts);
    add(random, "annotations", 2, texts);
    add(random, "finalizers", 3, finalizers);
    add(random, "ownerReferences", 3, owners);
    add(random, "managedFields", 4, managed);
    add(random, "unknown", 8, |random, _| anything(random));
    add(random, "Name", 20, |random, _| anything(random));
    fields.into()
}

fn time(random: &mut Random, wrong: usize) -> Value {
    if wrong == 0 {
        return random.part(&TIMES[..3]).into();
    }
    match random.below(3) {
        0 => {
            let time = random.part(TIMES);
            random
                .mutated(time, &["0", "9", "-", ":", "Z", "T", "+"])
                .into()
        }
        _ => random.part(TIMES).into(),
    }
}

fn texts(random: &mut Random, wrong: usize) -> Value {
    let mut texts = Map::new();
    for _ in 0..random.below(3) {
        let value = match random.below(12) {
            0 => "v".repeat(62 + random.below(4)),
            1 if random.once_in(100) => "w".repeat((256 << 10) - 8 + random.below(10)),
            _ => name(random, KEYS),
        };
        texts.insert(name(random, KEYS), or_anything(random, value.into(), wrong));
    }
    texts.into()
}

fn finalizers(random: &mut Random, wrong: usize) -> Value {
    (0..random.below(4))
        .map(|_| {
            let value = name(random, KEYS).into();
            or_anything(random, value, wrong)
        })
        .collect()
}

fn owners(random: &mut Random, wrong: usize) -> Value {
    let owner = |random: &mut Random| {
        if !random.once_in(4) {
            return json!({ "apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "e" });
        }
        let mut owner = json!({
            "apiVersion": random.part(&["v1", "", "apps/v1", "a/b/c", "/", "a/", "/v1"]),
            "kind": random.part(&["Event", "Pod", "", "<K>"]),
            "name": random.part(&["n", "", "m"]),
            "uid": random.part(&["u", ""]),
        });
        for field in ["controller", "blockOwnerDeletion"] {
            if random.once_in(2) {
                owner[field] = json!(!random.once_in(4));
            }
        }
        let field = random.part(&["apiVersion", "uid", "name", "controller", "x"]);
        owner[field] = or_anything(random, owner[field].clone(), wrong);
        or_anything(random, owner, wrong)
    };
    (0..random.below(4)).map(|_| owner(random)).collect()
}

fn managed(random: &mut Random, wrong: usize) -> Value {
    let entry = |random: &mut Random| {
        if !random.once_in(4) {
            return json!({ "manager": "kubectl", "operation": "Apply", "fieldsType": "FieldsV1", "fieldsV1": {} });
        }
        let mut entry = json!({
            "manager": random.part(&["kubectl", "", "a\u{7}b", "é ü", "a\u{a0}b\u{200b}", "\u{1f600}\u{2028}"]),
            "operation": random.part(&["Apply", "Update", "", "apply", "<é>"]),
            "fieldsType": random.part(&["FieldsV1", "", "x"]),
            "subresource": random.part(&["", "status"]),
            "fieldsV1": *random.pick(&[&json!({"f:a": {}}), &Value::Null]),
        });
        if random.once_in(10) {
            entry["manager"] = "m".repeat(120 + random.below(12)).into();
            entry["subresource"] = "s".repeat(250 + random.below(10)).into();
        }
        if random.once_in(3) {
            entry["time"] = time(random, wrong);
        }
        let field = random.part(&[
            "manager",
            "operation",
            "apiVersion",
            "time",
            "fieldsV1",
            "x",
        ]);
        let value = entry.get(field).cloned().unwrap_or_default();
        entry[field] = or_anything(random, value, wrong);
        or_anything(random, entry, wrong)
    };
    (0..random.below(3)).map(|_| entry(random)).collect()
}

/// Returns metadata that can be decoded, as it is after decoding.
pub(crate) fn decoded(random: &mut Random) -> Value {
    loop {
        let mut metadata = metadata(random, 0);
        if decode(&mut metadata).is_ok() {
            return metadata;
        }
    }
}

/// Returns the metadata with some fields replaced by the fields of other random metadata.
pub(crate) fn changed(random: &mut Random, old: &Value) -> Value {
    let mut new = old.clone();
    let other = decoded(random);
    if let (Some(new), Some(other)) = (new.as_object_mut(), other.as_object()) {
        for (name, value) in other {
            if random.once_in(3) {
                new.insert(name.clone(), value.clone());
            }
        }
        new.retain(|_, _| !random.once_in(12));
        if !random.once_in(4) {
            for name in [
                "name",
                "namespace",
                "uid",
                "creationTimestamp",
                "deletionTimestamp",
                "generation",
            ] {
                match old.get(name) {
                    Some(old) => new.insert(name.to_owned(), old.clone()),
                    None => new.remove(name),
                };
            }
            new.insert("resourceVersion".to_owned(), "7".into());
        }
    }
    new
}
