//! Random values that mostly match a schema, and random changes of them.

use serde_json::{Map, Number, Value, json};

use crate::rules::COSTLY;
use crate::schema::{Object, PATTERNS, names};
use union_random::Random;

/// The keys of maps.
pub(crate) const KEYS: [&str; 6] = ["k", "x", "k.x", "a b", "", "é"];

const TEXTS: [&str; 22] = [
    "",
    "a",
    "ab",
    "abc",
    "abcd",
    "A",
    "B",
    "1",
    "12",
    "é",
    "日本",
    "aé",
    "x1",
    "a1",
    "b",
    "q",
    "a.b",
    "foo",
    "\"q\"",
    "a\nb",
    "<&>",
    "abcdefghijklmnopqrstuvwxyz",
];

pub(crate) struct Generator<'r> {
    random: &'r mut Random,
    /// The percentage of keywords that values ignore.
    wrong: usize,
}

impl<'r> Generator<'r> {
    pub(crate) const fn new(random: &'r mut Random, wrong: usize) -> Self {
        Self { random, wrong }
    }

    /// Returns a value for a schema.
    pub(crate) fn value(&mut self, schema: &Value) -> Value {
        let Some(schema) = schema.as_object() else {
            return self.anything(1);
        };
        if self.random.chance(self.wrong / 3) {
            return self.anything(1);
        }
        let null = if schema.get("nullable") == Some(&json!(true)) {
            12
        } else {
            self.wrong / 5
        };
        if self.random.chance(null) {
            return Value::Null;
        }
        if let Some(Value::Array(values)) = schema.get("enum")
            && !values.is_empty()
            && !self.careless()
        {
            return self.random.pick(values).clone();
        }
        if schema.contains_key("x-kubernetes-int-or-string") {
            return if self.random.chance(50) {
                self.integer(schema)
            } else {
                self.text(schema)
            };
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => self.text(schema),
            Some("integer") => self.integer(schema),
            Some("number") => self.number(schema),
            Some("boolean") => self.random.chance(50).into(),
            Some("array") => self.list(schema),
            Some("object") => self.object(schema).into(),
            _ => self.anything(2),
        }
    }

    fn careless(&mut self) -> bool {
        self.random.chance(self.wrong)
    }

    /// Returns any JSON value.
    fn anything(&mut self, depth: usize) -> Value {
        let end = if depth == 0 { 5 } else { 7 };
        match self.random.below(end) {
            0 => (*self.random.pick(&TEXTS)).into(),
            1 => self.random.below(9).into(),
            2 => self.random.chance(50).into(),
            3 => json!(1.5),
            4 => Value::Null,
            5 => (0..self.random.below(3))
                .map(|_| self.anything(depth - 1))
                .collect(),
            _ => {
                let names = ["a", "b", "zz", "k"];
                let some = self.random.subset(&names, 40);
                some.into_iter()
                    .map(|name| ((*name).to_owned(), self.anything(depth - 1)))
                    .collect()
            }
        }
    }

    /// Generates a few values, and returns the first value for which `fits` returns true, or else
    /// the last value.
    fn try_some<T>(
        &mut self,
        mut make: impl FnMut(&mut Self) -> T,
        fits: impl Fn(&T) -> bool,
    ) -> T {
        let mut found = make(self);
        if self.careless() {
            return found;
        }
        for _ in 0..12 {
            if fits(&found) {
                break;
            }
            found = make(self);
        }
        found
    }

    fn text(&mut self, schema: &Object) -> Value {
        let format = schema
            .get("format")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let pattern = schema.get("pattern").and_then(Value::as_str);
        let matching = PATTERNS
            .iter()
            .find(|(each, _)| Some(*each) == pattern)
            .map(|(_, text)| *text);
        let samples = samples(format);
        let make = |generator: &mut Self| -> String {
            match matching {
                Some(text) if !generator.careless() => text.into(),
                _ if !samples.0.is_empty() => {
                    let bad = !samples.1.is_empty() && generator.careless();
                    (*generator
                        .random
                        .pick(if bad { samples.1 } else { samples.0 }))
                    .into()
                }
                _ => (*generator.random.pick(&TEXTS)).into(),
            }
        };
        let bound =
            |keyword: &str, or: u64| schema.get(keyword).and_then(Value::as_u64).unwrap_or(or);
        let (least, most) = (bound("minLength", 0), bound("maxLength", u64::MAX));
        self.try_some(make, |text| {
            (least..=most).contains(&(text.chars().count() as u64))
        })
        .into()
    }

    fn integer(&mut self, schema: &Object) -> Value {
        if self.random.chance(self.wrong / 3) {
            let odd = [
                json!(1.0),
                json!(2.5),
                json!(i64::MAX),
                json!(u64::MAX),
                json!(i64::MIN),
                json!(9_007_199_254_740_993_i64),
                json!(3_000_000_000_i64),
                json!(1e21),
                json!(-0.0),
                json!(1e6),
                json!(10_000_000_000.5),
            ];
            return self.random.pick(&odd).clone();
        }
        let make = |generator: &mut Self| {
            let number = i64::try_from(generator.random.below(14)).unwrap_or_default() - 3;
            if generator.random.chance(4) {
                number * 1_000_000
            } else {
                number
            }
        };
        #[expect(clippy::cast_precision_loss)]
        self.try_some(make, |number| within(schema, *number as f64))
            .into()
    }

    fn number(&mut self, schema: &Object) -> Value {
        if self.random.chance(self.wrong / 3) {
            let odd = [
                json!(1e21),
                json!(1e-7),
                json!(999_999.5),
                json!(1_000_000.5),
                json!(u64::MAX),
                json!(1e300),
                json!(-0.0),
            ];
            return self.random.pick(&odd).clone();
        }
        let make = |generator: &mut Self| -> f64 {
            *generator.random.pick(&[
                0.0, 1.0, 2.0, 3.0, 5.0, -1.0, 0.5, 1.5, 2.5, 0.3, 19.99, -2.25, 4.0, 6.0,
            ])
        };
        let found = self.try_some(make, |number| within(schema, *number));
        // Some whole numbers are written as integers, because the server distinguishes `1` from
        // `1.0`.
        #[expect(clippy::cast_possible_truncation)]
        if found.fract() == 0.0 && self.random.chance(60) {
            return (found as i64).into();
        }
        Number::from_f64(found).map_or(Value::Null, Value::Number)
    }

    fn list(&mut self, schema: &Object) -> Value {
        let bound = |keyword: &str| {
            schema
                .get(keyword)
                .and_then(Value::as_u64)
                .and_then(|bound| usize::try_from(bound).ok())
        };
        if bound("maxItems") == Some(COSTLY) {
            let length = COSTLY - self.random.below(COSTLY / 2);
            return (0..length).collect();
        }
        let least = bound("minItems").unwrap_or(0);
        let most = bound("maxItems").unwrap_or(4).min(4).max(least);
        let mut length = least + self.random.below(most - least + 1);
        if self.careless() {
            length = self.random.below(6);
        }
        let items = schema.get("items").unwrap_or(&Value::Null);
        let list_type = schema.get("x-kubernetes-list-type").and_then(Value::as_str);
        let mut list: Vec<Value> = Vec::new();
        for _ in 0..length {
            let item = self.value(items);
            let again = match list_type {
                Some("set") => list.contains(&item),
                Some("map") => list.iter().any(|other| same_keys(schema, other, &item)),
                _ => false,
            };
            if !again || self.careless() {
                list.push(item);
            }
        }
        list.into()
    }

    fn object(&mut self, schema: &Object) -> Object {
        let mut object = Object::new();
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        for name in names(schema) {
            let chance = if required.contains(&name.as_str()) {
                100 - self.wrong / 2
            } else {
                55
            };
            if self.random.chance(chance) {
                let value = self.value(&schema["properties"][&name]);
                object.insert(name, value);
            }
        }
        if let Some(values) = schema.get("additionalProperties") {
            self.entries(schema, values, &mut object);
        }
        let unknown = if schema.contains_key("x-kubernetes-preserve-unknown-fields") {
            40
        } else {
            4
        };
        if self.random.chance(unknown) {
            let value = self.anything(2);
            object.insert((*self.random.pick(&["zz", "yy"])).into(), value);
        }
        if schema.contains_key("x-kubernetes-embedded-resource") {
            self.embed(&mut object);
        }
        object
    }

    /// Adds entries of `additionalProperties`. `values` is the schema of their values, or a bool.
    fn entries(&mut self, schema: &Object, values: &Value, object: &mut Object) {
        if let Value::Bool(allowed) = values {
            if *allowed && self.random.chance(50) || self.careless() {
                let value = self.anything(2);
                object.insert((*self.random.pick(&KEYS)).into(), value);
            }
            return;
        }
        let most = schema.get("maxProperties").and_then(Value::as_u64);
        let most = most
            .and_then(|most| usize::try_from(most).ok())
            .unwrap_or(3);
        let most = if self.careless() { 6 } else { most.min(6) };
        for _ in 0..self.random.below(most + 1) {
            let value = self.value(values);
            object.insert((*self.random.pick(&KEYS)).into(), value);
        }
    }

    /// Adds `apiVersion`, `kind` and `metadata` to an embedded resource.
    fn embed(&mut self, object: &mut Object) {
        let careless = self.wrong;
        let mut put = |name: &str, good: Value, bad: &[Value]| {
            let third = careless / 3;
            match self.random.below(100) {
                at if at < third => drop(object.remove(name)),
                at if at < 2 * third => {
                    object.insert(name.to_owned(), self.random.pick(bad).clone());
                }
                _ => drop(object.insert(name.to_owned(), good)),
            }
        };
        put(
            "apiVersion",
            "v1".into(),
            &["a/b/c".into(), "".into(), "apps/v1".into()],
        );
        put(
            "kind",
            "Pod".into(),
            &["P P".into(), "".into(), "Pöd".into()],
        );
        let bad = [
            json!({}),
            json!({"name": "A_B"}),
            json!({"name": "a", "labels": {"bad key!": "v"}}),
            json!({"name": "a", "zz": 1}),
            json!({"name": "a", "annotations": {"a": "b"}, "namespace": "N"}),
        ];
        put("metadata", json!({"name": "pod"}), &bad);
    }

    /// Changes a random part of a value.
    pub(crate) fn mutate(&mut self, schema: &Value, value: &mut Value) {
        match value {
            Value::Object(object) if !object.is_empty() && self.random.chance(78) => {
                let keys: Vec<String> = object.keys().cloned().collect();
                let key = self.random.pick(&keys).clone();
                let inner = child(schema, &key);
                if let Some(value) = object.get_mut(&key) {
                    self.mutate(inner, value);
                }
            }
            Value::Array(items) if !items.is_empty() && self.random.chance(65) => {
                let at = self.random.below(items.len());
                self.mutate(&schema["items"], &mut items[at]);
            }
            Value::Object(object) => self.change_object(schema, object),
            Value::Array(items) => self.change_list(schema, items),
            scalar => self.change_scalar(schema, scalar),
        }
    }

    fn change_object(&mut self, schema: &Value, object: &mut Map<String, Value>) {
        let names = schema.as_object().map(names).unwrap_or_default();
        let keys: Vec<String> = object.keys().cloned().collect();
        match self.random.below(8) {
            0 | 1 if !keys.is_empty() => {
                object.remove(self.random.pick(&keys));
            }
            2 if !keys.is_empty() => {
                object.insert(self.random.pick(&keys).clone(), Value::Null);
            }
            3 => {
                let value = self.anything(1);
                object.insert("zz".into(), value);
            }
            _ => {
                let key = if names.is_empty() {
                    (*self.random.pick(&KEYS)).to_owned()
                } else {
                    self.random.pick(&names).clone()
                };
                let value = self.value(child(schema, &key));
                object.insert(key, value);
            }
        }
    }

    fn change_list(&mut self, schema: &Value, items: &mut Vec<Value>) {
        let length = items.len();
        match self.random.below(6) {
            0 if length > 0 => drop(items.remove(self.random.below(length))),
            1 if length > 1 => items.swap(self.random.below(length), self.random.below(length)),
            2 if length > 0 => items.push(items[self.random.below(length)].clone()),
            3 => {
                let item = self.value(&schema["items"]);
                items.insert(self.random.below(length + 1), item);
            }
            4 if length > 1 => items.reverse(),
            _ => {
                let item = self.value(&schema["items"]);
                items.push(item);
            }
        }
    }

    fn change_scalar(&mut self, schema: &Value, scalar: &mut Value) {
        *scalar = match (self.random.below(8), &*scalar) {
            #[expect(clippy::cast_precision_loss)]
            (0, Value::Number(number)) if number.is_i64() => {
                json!(number.as_i64().unwrap_or_default() as f64)
            }
            (1, Value::Number(number)) => number.to_string().into(),
            (2, _) => self.anything(1),
            (3, Value::String(text)) => format!("{text}b").into(),
            _ => self.value(schema),
        };
    }
}

/// Returns the schema of the value of a key.
fn child<'s>(schema: &'s Value, key: &str) -> &'s Value {
    match schema["properties"].get(key) {
        Some(found) => found,
        None => &schema["additionalProperties"],
    }
}

fn same_keys(schema: &Object, one: &Value, other: &Value) -> bool {
    let keys = schema
        .get("x-kubernetes-list-map-keys")
        .and_then(Value::as_array);
    let mut keys = keys.into_iter().flatten().filter_map(Value::as_str);
    keys.all(|key| one.get(key) == other.get(key))
}

fn within(schema: &Object, number: f64) -> bool {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let is_set = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(true));
    let least = bound("minimum")
        .is_none_or(|bound| number > bound || number >= bound && !is_set("exclusiveMinimum"));
    let most = bound("maximum")
        .is_none_or(|bound| number < bound || number <= bound && !is_set("exclusiveMaximum"));
    let steps = bound("multipleOf").is_none_or(|step| {
        let steps = number / step;
        (steps - steps.round()).abs() < 1e-9
    });
    least && most && steps
}

/// Returns valid and invalid strings of a format.
fn samples(format: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match format.replace('-', "").as_str() {
        "byte" => (
            &["YQ==", "YWI=", "YWJj", "-_8="],
            &["", "a", "YQ", "YQ==\n"],
        ),
        "date" => (
            &["2020-02-29", "1999-12-31"],
            &["2021-02-29", "2020-1-01", "x"],
        ),
        "datetime" => (
            &[
                "2018-11-13T20:20:39Z",
                "2018-11-13t20:20:39.123z",
                "2020-02-29T23:59:59+99:99",
                "2018-11-13T20:20:39-05:00",
            ],
            &[
                "2018-11-13T24:00:00Z",
                "2018-11-13",
                "2018-11-13T20:20:39",
                "2018-11-13 20:20:39Z",
                "2018-11-13T20:20:39ZTx",
            ],
        ),
        "duration" => (
            &["1h30m", "-1s", "3 days", "100ms", "1.5h", "xx 3d yy"],
            &["", "h", "P", "1"],
        ),
        "ipv4" => (
            &["1.2.3.4", "::ffff:1.2.3.4", "01.2.3.4"],
            &["1.2.3", "::1", "1.2.3.256", ""],
        ),
        "ipv6" => (
            &["::1", "fe80::1", "::ffff:1.2.3.4"],
            &["fe80::1%eth0", "1.2.3.4", ":::", "12345::"],
        ),
        "cidr" => (
            &["10.0.0.0/8", "10.0.0.1/8", "::/0", "010.0.0.0/8"],
            &["10.0.0.0", "10.0.0.0/33", "a/1"],
        ),
        "mac" => (
            &["01:23:45:67:89:ab", "01-23-45-67-89-ab", "0123.4567.89ab"],
            &["01:23", "01:23:45:67:89:zz"],
        ),
        "uuid" | "uuid3" | "uuid4" | "uuid5" => (
            &[
                "123e4567-e89b-12d3-a456-426614174000",
                "123e4567-e89b-32d3-a456-426614174000",
                "123E4567e89b42d3a456426614174000",
                "123e4567-e89b-52d3-b456-426614174000",
            ],
            &[
                "123",
                "123e4567-e89b-42d3-c456-426614174000",
                "123e4567-e89b-12d3-a456-42661417400g",
            ],
        ),
        "hostname" => (
            &["example.com", "a", "1a.com", "bücher.de"],
            &["example.c", "a_b", "a.b.c.d", "-a", ""],
        ),
        "uri" => (
            &["http://a/b", "/abs", "a:b", "mailto:x@y"],
            &["rel/path", "", "http://[::1", "http://a b"],
        ),
        "email" => (
            &["a@b.c", "Name <a@b.c>", "\"a b\"@c.d"],
            &["a", "a@b@c", "@b", "a@"],
        ),
        "isbn" | "isbn10" | "isbn13" => (
            &["978-0321751041", "0-306-40615-2", "9783836221191"],
            &["123", "978-0321751042", "0306406153"],
        ),
        "creditcard" => (
            &["4111111111111111", "4111-1111-1111-1111"],
            &["4111111111111112", "1"],
        ),
        "ssn" => (
            &["111-11-1111", "111 11 1111"],
            &["111111111", "a11-11-1111"],
        ),
        "hexcolor" => (&["#FFF", "abcdef", "#a1B2c3"], &["#ab", "red", "#1234"]),
        "rgbcolor" => (
            &["rgb(1,2,3)", "rgb( 255 , 255 , 255 )"],
            &["rgb(256,1,1)", "RGB(1,2,3)", "rgb(1,2)"],
        ),
        "bsonobjectid" => (
            &["507f1f77bcf86cd799439011"],
            &["507f1f77", "507f1f77bcf86cd79943901g"],
        ),
        "k8sshortname" => (&["abc", "a-1"], &["Abc", "-a", "a.b", ""]),
        "k8slongname" => (&["a.b.c", "abc"], &["A.b", "a..b", "a_"]),
        _ => (&[], &[]),
    }
}
