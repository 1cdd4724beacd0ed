//! The comparison of a Rust type with the engine for the schema of the type: both must have the
//! same result for a request.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::marker::PhantomData;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::Transform as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use union_json::{SchemaSource, Unions};
use union_runtime::schema::FinishSchema;
use union_runtime::{Changes, Ratchet, Report, RestoreUnaware, Settings, Union};

const RATCHETS: [Ratchet; 3] = [Ratchet::SameReason, Ratchet::Unchanged, Ratchet::Off];

const RESTORES: [RestoreUnaware; 3] = [
    RestoreUnaware::Off,
    RestoreUnaware::Required,
    RestoreUnaware::All,
];

/// A type with a union, and the order in which its violations are compared.
pub(crate) trait Model:
    Union + Serialize + DeserializeOwned + JsonSchema + Clone + Debug
{
    /// True if the fields of the type are in alphabetical order, which is the order of JSON objects
    /// here, and the values of its enums are in the order of their members. Then both sides report
    /// violations in the same order.
    const IS_SORTED: bool = true;
}

/// An object that a client sent.
#[derive(Clone, Debug)]
pub(crate) struct State<T> {
    /// The object as the type reads it.
    typed: T,
    /// The object as the client sent it.
    pub(crate) raw: Value,
    /// The object as the type writes it: without nulls, and with defaults.
    pub(crate) written: Value,
}

impl<T: Model> State<T> {
    /// Reads an object, or returns `None` if the type cannot read the object.
    pub(crate) fn read(raw: &Value) -> Option<Self> {
        let typed = T::deserialize(raw).ok()?;
        let written = written(&typed);
        Some(Self {
            typed,
            raw: raw.clone(),
            written,
        })
    }
}

fn written<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("a serializable value")
}

/// The engine of a type, which is compared with the type.
pub(crate) struct Comparison<T> {
    unions: Unions,
    /// The number of requests that were compared so far.
    compared: Cell<usize>,
    model: PhantomData<T>,
}

impl<T: Model> Comparison<T> {
    pub(crate) fn new() -> Self {
        // The schema has references, so that the engine can follow recursive types.
        let generator = SchemaSettings::openapi3().into_generator();
        let mut schema = generator.into_root_schema_for::<T>();
        FinishSchema.transform(&mut schema);
        let unions = Unions::compile(SchemaSource::Schema(schema.as_value()));
        Self {
            unions: unions.unwrap_or_else(|error| panic!("{error}: {:#}", schema.as_value())),
            compared: Cell::new(0),
            model: PhantomData,
        }
    }

    /// Compares both sides on a request. `old` is `None` on a create.
    pub(crate) fn assert_same_results(&self, new: &State<T>, old: Option<&State<T>>) {
        let compared = self.compared.get();
        self.compared.set(compared + 1);
        let written = Request {
            new: &new.typed,
            old: old.map(|old| &old.typed),
            json: &new.written,
            old_json: old.map(|old| &old.written),
            json_is_from_type: true,
        };
        for restore in RESTORES {
            self.assert_same_normalize_result(
                &written,
                &Settings::default().restore_unaware(restore),
            );
        }
        for ratchet in RATCHETS {
            self.assert_same_validate_result(&written, &Settings::default().ratchet(ratchet));
        }
        // `admit` has no rules of its own, so each setting only gets its share of the requests.
        let settings = [
            Settings::default(),
            Settings::default().ratchet(Ratchet::Unchanged),
            Settings::default().restore_unaware(RestoreUnaware::All),
            Settings::default().ratchet(Ratchet::Off),
            Settings::default().unions(false),
        ];
        self.assert_same_admit_result(&written, &settings[compared % settings.len()]);

        let is_sent_as_written = |state: &State<T>| state.raw == state.written;
        if !is_sent_as_written(new) || !old.is_none_or(is_sent_as_written) {
            let raw = Request {
                json: &new.raw,
                old_json: old.map(|old| &old.raw),
                json_is_from_type: false,
                ..written
            };
            // The type compares lists as they are written, and the engine compares lists as they
            // were sent. If the two comparisons differ, the sides disagree about the lists that are
            // unchanged.
            let ratchet = if old.is_none_or(|old| has_same_equal_lists(new, old)) {
                Ratchet::SameReason
            } else {
                Ratchet::Off
            };
            let settings = Settings::default().ratchet(ratchet);
            self.assert_same_normalize_result(&raw, &settings);
            self.assert_same_validate_result(&raw, &settings);
            self.assert_same_admit_result(&raw, &settings);
        }
    }

    pub(crate) fn compared(&self) -> usize {
        self.compared.get()
    }

    fn assert_same_normalize_result(&self, request: &Request<'_, T>, settings: &Settings) {
        let (mut typed, mut object) = (request.new.clone(), request.json.clone());
        let typed_changes = typed.normalize_unions(request.old, settings);
        let json_changes = self
            .unions
            .normalize(&mut object, request.old_json, settings);
        let describe = || request.to_string();
        assert_same_changes::<T>(&json_changes, &typed_changes, &describe);
        if typed_changes.is_empty() {
            assert_eq!(object, *request.json, "{request}");
        }
        assert_same_object(&object, &typed, request.json_is_from_type, &describe);
    }

    fn assert_same_validate_result(&self, request: &Request<'_, T>, settings: &Settings) {
        let [typed_report, json_report] = match (request.old, request.old_json) {
            (Some(old), Some(old_json)) => [
                request.new.validate_unions_update(old, settings),
                self.unions
                    .validate_update(request.json, old_json, settings),
            ],
            _ => [
                request.new.validate_unions(),
                self.unions.validate(request.json),
            ],
        };
        assert_same_report::<T>(&json_report, &typed_report, &|| request.to_string());
    }

    fn assert_same_admit_result(&self, request: &Request<'_, T>, settings: &Settings) {
        let describe = || request.to_string();
        let (mut typed, mut object) = (request.new.clone(), request.json.clone());
        let typed_report = typed.admit_unions(request.old, settings);
        let json_report = self.unions.admit(&mut object, request.old_json, settings);
        assert_same_report::<T>(&json_report, &typed_report, &describe);
        assert_same_object(&object, &typed, request.json_is_from_type, &describe);
    }

    /// Compares both sides on a server-side apply.
    pub(crate) fn assert_same_apply_result(
        &self,
        applied: &State<T>,
        live: Option<&State<T>>,
        merged: &State<T>,
    ) {
        let restore = RESTORES[self.compared.get() % RESTORES.len()];
        let settings = Settings::default().restore_unaware(restore);
        let (mut typed, mut object) = (merged.typed.clone(), merged.raw.clone());
        let typed_report =
            typed.normalize_unions_apply(&applied.typed, live.map(|live| &live.typed), &settings);
        let json_report = self.unions.normalize_apply(
            &mut object,
            &applied.raw,
            live.map(|live| &live.raw),
            &settings,
        );
        let describe = || {
            format!(
                "{restore:?}, applied {}, live {:?}, merged {}",
                applied.raw,
                live.map(|live| &live.raw),
                merged.raw
            )
        };
        assert_same_report::<T>(&json_report, &typed_report, &describe);
        assert_same_object(&object, &typed, merged.raw == merged.written, &describe);
    }
}

/// Returns true if the lists that are equal in two objects as sent are also the lists that are
/// equal as written.
fn has_same_equal_lists<T>(new: &State<T>, old: &State<T>) -> bool {
    paths_of_equal_lists(&new.raw, &old.raw) == paths_of_equal_lists(&new.written, &old.written)
}

/// Returns the paths at which two objects have the same list with at least one element.
fn paths_of_equal_lists(new: &Value, old: &Value) -> Vec<String> {
    let [new, old] = [new, old].map(|object| {
        let mut lists = BTreeMap::new();
        collect_lists(object, "", &mut lists);
        lists
    });
    new.into_iter()
        .filter(|(path, list)| **list != json!([]) && old.get(path) == Some(list))
        .map(|(path, _)| path)
        .collect()
}

/// Collects the lists in a value by their paths.
fn collect_lists<'v>(value: &'v Value, path: &str, lists: &mut BTreeMap<String, &'v Value>) {
    match value {
        Value::Array(elements) => {
            lists.insert(path.to_owned(), value);
            for (i, element) in elements.iter().enumerate() {
                collect_lists(element, &format!("{path}/{i}"), lists);
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                collect_lists(entry, &format!("{path}/{key}"), lists);
            }
        }
        _ => {}
    }
}

/// A request, as the type and as the engine receive it.
struct Request<'a, T> {
    new: &'a T,
    old: Option<&'a T>,
    json: &'a Value,
    old_json: Option<&'a Value>,
    /// True if `json` and `old_json` are the typed values in JSON, not the objects as sent.
    json_is_from_type: bool,
}

impl<T> fmt::Display for Request<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "old {:?}, new {}", self.old_json, self.json)
    }
}

fn assert_same_object<T: Model>(
    object: &Value,
    typed: &T,
    json_is_from_type: bool,
    describe: &dyn Fn() -> String,
) {
    let expected = written(typed);
    if json_is_from_type {
        assert_eq!(*object, expected, "{}", describe());
    } else {
        let read = T::deserialize(object).unwrap_or_else(|error| panic!("{error}: {}", describe()));
        assert_eq!(written(&read), expected, "{}", describe());
    }
}

fn assert_same_changes<T: Model>(
    json_changes: &Changes,
    typed_changes: &Changes,
    describe: &dyn Fn() -> String,
) {
    if T::IS_SORTED || json_changes == typed_changes {
        assert_eq!(json_changes, typed_changes, "{}", describe());
    } else {
        let sorted = |changes: &Changes| sorted(changes.iter().map(ToString::to_string));
        assert_eq!(
            sorted(json_changes),
            sorted(typed_changes),
            "{}",
            describe()
        );
    }
}

fn assert_same_report<T: Model>(
    json_report: &Report,
    typed_report: &Report,
    describe: &dyn Fn() -> String,
) {
    if T::IS_SORTED || json_report == typed_report {
        assert_eq!(json_report, typed_report, "{}", describe());
    } else {
        assert_eq!(
            sorted_lines(json_report),
            sorted_lines(typed_report),
            "{}",
            describe()
        );
    }
}

/// Returns the lines of the errors, of the tolerated violations and of the changes, each sorted.
fn sorted_lines(report: &Report) -> [Vec<String>; 3] {
    [
        sorted(report.errors().iter().map(ToString::to_string)),
        sorted(report.tolerated().iter().map(ToString::to_string)),
        sorted(report.changes().iter().map(ToString::to_string)),
    ]
}

fn sorted(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}
