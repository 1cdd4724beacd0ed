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
    /// The object as a value of the type.
    typed: T,
    /// The object as the client sent it.
    pub(crate) sent: Value,
    /// The object as the type serializes it: without nulls, and with defaults.
    pub(crate) serialized: Value,
}

impl<T: Model> State<T> {
    /// Reads an object, or returns `None` if the type cannot read the object.
    pub(crate) fn read(sent: &Value) -> Option<Self> {
        let typed = T::deserialize(sent).ok()?;
        let serialized = to_json(&typed);
        Some(Self {
            typed,
            sent: sent.clone(),
            serialized,
        })
    }
}

fn to_json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("a serializable value")
}

/// The engine of a type, which is compared with the type.
pub(crate) struct Comparison<T> {
    unions: Unions,
    /// The number of requests on which both sides were compared so far.
    request_count: Cell<usize>,
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
            request_count: Cell::new(0),
            model: PhantomData,
        }
    }

    /// Compares both sides on a request. `old` is `None` on a create.
    pub(crate) fn assert_same_results(&self, new: &State<T>, old: Option<&State<T>>) {
        let request_count = self.request_count.get();
        self.request_count.set(request_count + 1);
        let serialized_request = Request {
            new: &new.typed,
            old: old.map(|old| &old.typed),
            json: &new.serialized,
            old_json: old.map(|old| &old.serialized),
            json_is_from_type: true,
        };
        for restore in RESTORES {
            self.assert_same_normalize_result(
                &serialized_request,
                &Settings::default().restore_unaware(restore),
            );
        }
        for ratchet in RATCHETS {
            let settings = Settings::default().ratchet(ratchet);
            self.assert_same_validate_result(&serialized_request, &settings);
        }
        // `admit` has no rules of its own, so each request is compared with only one of these
        // settings.
        let settings = [
            Settings::default(),
            Settings::default().ratchet(Ratchet::Unchanged),
            Settings::default().restore_unaware(RestoreUnaware::All),
            Settings::default().ratchet(Ratchet::Off),
            Settings::default().unions(false),
        ];
        let settings = &settings[request_count % settings.len()];
        self.assert_same_admit_result(&serialized_request, settings);

        let is_sent_as_serialized = |state: &State<T>| state.sent == state.serialized;
        if !is_sent_as_serialized(new) || !old.is_none_or(is_sent_as_serialized) {
            let sent_request = Request {
                json: &new.sent,
                old_json: old.map(|old| &old.sent),
                json_is_from_type: false,
                ..serialized_request
            };
            // The type compares lists as the type serializes them, and the engine compares lists as
            // the client sent them. If the two comparisons differ, the sides disagree about the
            // lists that are unchanged.
            let ratchet = if old.is_none_or(|old| has_same_equal_lists(new, old)) {
                Ratchet::SameReason
            } else {
                Ratchet::Off
            };
            let settings = Settings::default().ratchet(ratchet);
            self.assert_same_normalize_result(&sent_request, &settings);
            self.assert_same_validate_result(&sent_request, &settings);
            self.assert_same_admit_result(&sent_request, &settings);
        }
    }

    pub(crate) fn request_count(&self) -> usize {
        self.request_count.get()
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
        let restore = RESTORES[self.request_count.get() % RESTORES.len()];
        let settings = Settings::default().restore_unaware(restore);
        let (mut typed, mut object) = (merged.typed.clone(), merged.sent.clone());
        let typed_report =
            typed.normalize_unions_apply(&applied.typed, live.map(|live| &live.typed), &settings);
        let json_report = self.unions.normalize_apply(
            &mut object,
            &applied.sent,
            live.map(|live| &live.sent),
            &settings,
        );
        let describe = || {
            format!(
                "{restore:?}, applied {}, live {:?}, merged {}",
                applied.sent,
                live.map(|live| &live.sent),
                merged.sent
            )
        };
        assert_same_report::<T>(&json_report, &typed_report, &describe);
        assert_same_object(&object, &typed, merged.sent == merged.serialized, &describe);
    }
}

/// Returns true if the lists that are equal in two objects as sent are also the lists that are
/// equal as serialized.
fn has_same_equal_lists<T>(new: &State<T>, old: &State<T>) -> bool {
    paths_of_equal_lists(&new.sent, &old.sent)
        == paths_of_equal_lists(&new.serialized, &old.serialized)
}

/// Returns the paths of each list of the new object and an equal list of the old object. The two
/// paths may differ, because an element with a key is compared with the old element of that key at
/// any index. Empty lists are left out.
fn paths_of_equal_lists(new_object: &Value, old_object: &Value) -> Vec<(String, String)> {
    let [new_lists, old_lists] = [new_object, old_object].map(|object| {
        let mut lists = BTreeMap::new();
        collect_lists(object, "", &mut lists);
        lists.retain(|_, list| **list != json!([]));
        lists
    });
    let mut paths = Vec::new();
    for (new_path, new_list) in &new_lists {
        for (old_path, old_list) in &old_lists {
            if new_list == old_list {
                paths.push((new_path.clone(), old_path.clone()));
            }
        }
    }
    paths
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
    let expected = to_json(typed);
    if json_is_from_type {
        assert_eq!(*object, expected, "{}", describe());
    } else {
        let typed_object =
            T::deserialize(object).unwrap_or_else(|error| panic!("{error}: {}", describe()));
        assert_eq!(to_json(&typed_object), expected, "{}", describe());
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
