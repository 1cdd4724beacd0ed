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
pub(crate) struct Sides<T> {
    unions: Unions,
    /// The number of requests that were compared so far.
    compared: Cell<usize>,
    of: PhantomData<T>,
}

impl<T: Model> Sides<T> {
    pub(crate) fn new() -> Self {
        // The schema has references, so that the engine can follow recursive types.
        let generator = SchemaSettings::openapi3().into_generator();
        let mut schema = generator.into_root_schema_for::<T>();
        FinishSchema.transform(&mut schema);
        let unions = Unions::compile(SchemaSource::Schema(schema.as_value()));
        Self {
            unions: unions.unwrap_or_else(|error| panic!("{error}: {:#}", schema.as_value())),
            compared: Cell::new(0),
            of: PhantomData,
        }
    }

    /// Compares both sides on a request. `old` is `None` on a create.
    pub(crate) fn agree(&self, new: &State<T>, old: Option<&State<T>>) {
        let compared = self.compared.get();
        self.compared.set(compared + 1);
        let written = Request {
            new: &new.typed,
            old: old.map(|old| &old.typed),
            json: &new.written,
            old_json: old.map(|old| &old.written),
            is_written: true,
        };
        for restore in RESTORES {
            self.agree_on_normalize(&written, &Settings::default().restore_unaware(restore));
        }
        for ratchet in RATCHETS {
            self.agree_on_validate(&written, &Settings::default().ratchet(ratchet));
        }
        // `admit` has no rules of its own, so each setting only gets its share of the requests.
        let settings = [
            Settings::default(),
            Settings::default().ratchet(Ratchet::Unchanged),
            Settings::default().restore_unaware(RestoreUnaware::All),
            Settings::default().ratchet(Ratchet::Off),
            Settings::default().unions(false),
        ];
        self.agree_on_admit(&written, &settings[compared % settings.len()]);

        let is_same = |state: &State<T>| state.raw == state.written;
        if !is_same(new) || !old.is_none_or(is_same) {
            let raw = Request {
                json: &new.raw,
                old_json: old.map(|old| &old.raw),
                is_written: false,
                ..written
            };
            // The type compares lists as they are written, and the engine compares lists as they
            // were sent. If the two comparisons differ, the sides disagree about the lists that are
            // unchanged.
            let ratchet = if old.is_none_or(|old| spells_alike(new, old)) {
                Ratchet::SameReason
            } else {
                Ratchet::Off
            };
            let settings = Settings::default().ratchet(ratchet);
            self.agree_on_normalize(&raw, &settings);
            self.agree_on_validate(&raw, &settings);
            self.agree_on_admit(&raw, &settings);
        }
    }

    pub(crate) fn compared(&self) -> usize {
        self.compared.get()
    }

    fn agree_on_normalize(&self, request: &Request<'_, T>, settings: &Settings) {
        let (mut typed, mut object) = (request.new.clone(), request.json.clone());
        let changes = typed.normalize_unions(request.old, settings);
        let of_engine = self
            .unions
            .normalize(&mut object, request.old_json, settings);
        let at = || request.to_string();
        same_changes::<T>(&of_engine, &changes, &at);
        if changes.is_empty() {
            assert_eq!(object, *request.json, "{request}");
        }
        same_object(&object, &typed, request.is_written, &at);
    }

    fn agree_on_validate(&self, request: &Request<'_, T>, settings: &Settings) {
        let [of_type, of_engine] = match (request.old, request.old_json) {
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
        same_report::<T>(&of_engine, &of_type, &|| request.to_string());
    }

    fn agree_on_admit(&self, request: &Request<'_, T>, settings: &Settings) {
        let at = || request.to_string();
        let (mut typed, mut object) = (request.new.clone(), request.json.clone());
        let of_type = typed.admit_unions(request.old, settings);
        let of_engine = self.unions.admit(&mut object, request.old_json, settings);
        same_report::<T>(&of_engine, &of_type, &at);
        same_object(&object, &typed, request.is_written, &at);
    }

    /// Compares both sides on a server-side apply.
    pub(crate) fn agree_on_apply(
        &self,
        applied: &State<T>,
        live: Option<&State<T>>,
        merged: &State<T>,
    ) {
        let restore = RESTORES[self.compared.get() % RESTORES.len()];
        let settings = Settings::default().restore_unaware(restore);
        let (mut typed, mut object) = (merged.typed.clone(), merged.raw.clone());
        let of_type =
            typed.normalize_unions_apply(&applied.typed, live.map(|live| &live.typed), &settings);
        let of_engine = self.unions.normalize_apply(
            &mut object,
            &applied.raw,
            live.map(|live| &live.raw),
            &settings,
        );
        let at = || {
            format!(
                "{restore:?}, applied {}, live {:?}, merged {}",
                applied.raw,
                live.map(|live| &live.raw),
                merged.raw
            )
        };
        same_report::<T>(&of_engine, &of_type, &at);
        same_object(&object, &typed, merged.raw == merged.written, &at);
    }
}

/// Returns true if the lists that are equal in two objects as sent are also the lists that are
/// equal as written.
fn spells_alike<T>(new: &State<T>, old: &State<T>) -> bool {
    same_lists(&new.raw, &old.raw) == same_lists(&new.written, &old.written)
}

/// Returns the paths at which two objects have the same list with at least one element.
fn same_lists(new: &Value, old: &Value) -> Vec<String> {
    let [new, old] = [new, old].map(|object| {
        let mut lists = BTreeMap::new();
        find_lists(object, "", &mut lists);
        lists
    });
    new.into_iter()
        .filter(|(path, list)| **list != json!([]) && old.get(path) == Some(list))
        .map(|(path, _)| path)
        .collect()
}

/// Collects the lists in a value by their paths.
fn find_lists<'v>(value: &'v Value, path: &str, lists: &mut BTreeMap<String, &'v Value>) {
    match value {
        Value::Array(elements) => {
            lists.insert(path.to_owned(), value);
            for (i, element) in elements.iter().enumerate() {
                find_lists(element, &format!("{path}/{i}"), lists);
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                find_lists(entry, &format!("{path}/{key}"), lists);
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
    /// True if the JSON objects are the objects that the type writes.
    is_written: bool,
}

impl<T> fmt::Display for Request<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "old {:?}, new {}", self.old_json, self.json)
    }
}

fn same_object<T: Model>(object: &Value, typed: &T, is_written: bool, at: &dyn Fn() -> String) {
    let wanted = written(typed);
    if is_written {
        assert_eq!(*object, wanted, "{}", at());
    } else {
        let read = T::deserialize(object).unwrap_or_else(|error| panic!("{error}: {}", at()));
        assert_eq!(written(&read), wanted, "{}", at());
    }
}

fn same_changes<T: Model>(of_engine: &Changes, of_type: &Changes, at: &dyn Fn() -> String) {
    if T::IS_SORTED || of_engine == of_type {
        assert_eq!(of_engine, of_type, "{}", at());
    } else {
        let sorted = |changes: &Changes| sorted(changes.iter().map(ToString::to_string));
        assert_eq!(sorted(of_engine), sorted(of_type), "{}", at());
    }
}

fn same_report<T: Model>(of_engine: &Report, of_type: &Report, at: &dyn Fn() -> String) {
    if T::IS_SORTED || of_engine == of_type {
        assert_eq!(of_engine, of_type, "{}", at());
    } else {
        assert_eq!(lines(of_engine), lines(of_type), "{}", at());
    }
}

/// Returns the lines of the errors and the lines of the tolerated violations.
fn lines(report: &Report) -> [Vec<String>; 3] {
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
