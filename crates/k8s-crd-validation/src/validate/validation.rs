//! The walk over a value and its schema.

use core::cell::RefCell;

use serde_json::{Map, Value};

use super::enum_and_unique;
use super::errors::origin::ErrorOrigin;
use super::errors::sink::{
    CollectAll, ErrorScope, ErrorSink, StopAtFirstError, StopAtFirstOwnError,
};
use super::errors::{forbidden_key, invalid, required, too_many};
use super::flow::Flow;
use crate::decode::ratchet::{ComparatorSchema, OldObject, OldValue, is_unchanged};
use crate::schema::format::Format;
use crate::schema::{AdditionalProperties, Node, NodeId, StructuralSchema, print};
use crate::settings::{RatchetingPolicy, ServerSettings};
use k8s_cel::format::Formats;
use union_runtime::BadValue;
use union_runtime::comparator::Equality;
use union_runtime::path::{Path, PathStep};

/// The validation of a value.
pub(crate) struct Validation<'a> {
    pub(crate) schema: &'a StructuralSchema,
    pub(crate) settings: &'a ServerSettings,
    /// The formats that are checked, or `None` for the formats of the newest release.
    pub(crate) formats: Option<&'a Formats>,
    /// True if a default is validated. As on a server, unknown formats then apply too, and
    /// `x-kubernetes-int-or-string` is ignored.
    pub(crate) validates_default: bool,
}

impl Validation<'_> {
    /// Returns true if the value is valid. This check comes first for every object, because it
    /// needs no old object.
    pub(crate) fn is_valid(&self, id: NodeId, value: &Value) -> bool {
        self.check(id, value, None, &Path::ROOT, &mut StopAtFirstError)
            .is_continue()
    }

    /// Returns true if the value itself is valid, regardless of the values inside it. An object is
    /// known to have `required_count` of its required fields.
    #[inline]
    pub(super) fn is_own_value_valid(
        &self,
        node: &Node,
        value: &Value,
        required_count: usize,
    ) -> bool {
        if node.has_only_type && node.schema_type.is_some_and(|kind| kind.is_type_of(value)) {
            return true;
        }
        let mut sink = StopAtFirstOwnError { required_count };
        self.check_all(node, value, None, &Path::ROOT, &mut sink)
            .is_continue()
    }

    /// Returns all errors, including errors that are tolerated because `old` has the same value.
    pub(crate) fn errors(
        &self,
        id: NodeId,
        value: &Value,
        old: Option<&dyn OldObject>,
    ) -> CollectAll {
        self.collect(id, value, old, CollectAll::default())
    }

    /// Returns the errors like [`errors`](Self::errors), with their locations.
    pub(crate) fn located_errors(
        &self,
        id: NodeId,
        value: &Value,
        old: Option<&dyn OldObject>,
    ) -> CollectAll {
        self.collect(id, value, old, CollectAll::locating())
    }

    fn collect(
        &self,
        id: NodeId,
        value: &Value,
        old: Option<&dyn OldObject>,
        mut sink: CollectAll,
    ) -> CollectAll {
        let equality = match self.settings.policy {
            RatchetingPolicy::ApiServer => Equality::new(),
            RatchetingPolicy::Kep4008 => Equality::deep(),
        };
        let old_root = old.map(|old| OldValue::root(old, &equality, self.schema.node(id)));
        let _ = self.check(id, value, old_root.as_ref(), &Path::ROOT, &mut sink);
        sink
    }

    /// Returns the format of a schema, or `None` if the format is unknown.
    pub(super) fn format<'n>(&self, node: &'n Node) -> Option<&'n Format> {
        let format = node.format.as_ref();
        format.filter(|format| {
            self.validates_default || format.is_known(self.formats, self.settings.version)
        })
    }

    pub(super) fn check<'v, S: ErrorSink>(
        &self,
        id: NodeId,
        value: &'v Value,
        old: Option<&OldValue<'_, 'v>>,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        let node = self.schema.node(id);
        let error_count_before = sink.len();
        self.check_all(node, value, old, path, sink)?;
        if sink.len() > error_count_before {
            let schema = self.schema.comparator_schema(id);
            let is_unchanged = old.is_some_and(|old| is_unchanged(schema, value, old));
            if is_unchanged {
                sink.tolerate(error_count_before);
            }
            let is_changed = old.is_some() && !is_unchanged;
            sink.locate(error_count_before, id, path, is_changed);
        }
        Flow::Continue(())
    }

    fn check_all<'v, S: ErrorSink>(
        &self,
        node: &Node,
        value: &'v Value,
        old: Option<&OldValue<'_, 'v>>,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        self.check_type(node, value, path, sink)?;
        if value.is_null() {
            return enum_and_unique::check_enum(node, value, path, sink);
        }
        if node.has_combinators {
            let error_count_before = sink.len();
            let outer_scope = sink.enter(ErrorScope::Combinator);
            self.check_combinators(node, value, path, sink)?;
            sink.leave(outer_scope);
            if self.settings.policy == RatchetingPolicy::Kep4008 {
                sink.exempt(error_count_before);
            }
        }
        match value {
            Value::String(string) => self.check_string(node, string, path, sink)?,
            Value::Number(number) => self.check_number(node, number, path, sink)?,
            Value::Array(elements) => self.check_list(node, elements, old, path, sink)?,
            _ => {}
        }
        enum_and_unique::check_enum(node, value, path, sink)?;
        match value {
            Value::Object(object) => self.check_object(node, object, old, path, sink),
            _ => Flow::Continue(()),
        }
    }

    fn check_list<'v, S: ErrorSink>(
        &self,
        node: &Node,
        elements: &'v [Value],
        old: Option<&OldValue<'_, 'v>>,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        if let Some(items) = node.items.filter(|_| S::DESCENDS) {
            // Elements of lists that are not of type map are not correlated.
            let old = old.filter(|_| !node.list_keys().is_empty());
            let outer_scope = match old {
                None => sink.enter(ErrorScope::Elements),
                Some(_) => sink.enter(ErrorScope::Value),
            };
            let old_elements = RefCell::new(None);
            let find = |element: &Value| {
                let mut old_elements = old_elements.borrow_mut();
                let old_elements = old_elements.get_or_insert_with(|| {
                    let old = old?;
                    let schema = ComparatorSchema::new(self.schema, node);
                    Some(old.equality().old_elements(schema, old.get()))
                });
                old_elements
                    .as_mut()?
                    .find(element)
                    .map(|(position, _)| position)
            };
            for (i, element) in elements.iter().enumerate() {
                let old = old.map(|old| old.element(element, &find, self.schema.node(items)));
                let path = path.step(PathStep::Index(i));
                self.check(items, element, old.as_ref(), &path, sink)?;
            }
            sink.leave(outer_scope);
        }
        let Some(keywords) = &node.list else {
            return Flow::Continue(());
        };
        let bounds = [keywords.min_items, keywords.max_items];
        check_length(elements.len(), bounds, ["minItems", "maxItems"], path, sink)?;
        if keywords.unique_items && enum_and_unique::has_duplicate_items(elements) {
            let bad_value = BadValue::Quoted(String::new());
            sink.report(ErrorOrigin::of_keyword("uniqueItems"), || {
                invalid(path, bad_value, "shouldn't contain duplicates")
            })?;
        }
        Flow::Continue(())
    }

    fn check_object<'v, S: ErrorSink>(
        &self,
        node: &Node,
        object: &'v Map<String, Value>,
        old: Option<&OldValue<'_, 'v>>,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        let bounds = [node.min_properties, node.max_properties];
        check_length(
            object.len(),
            bounds,
            ["minProperties", "maxProperties"],
            path,
            sink,
        )?;
        if S::DESCENDS {
            self.check_fields(node, object, old, path, sink)?;
        }
        // Required names are unique, so an object with this number of required fields has all.
        if sink.known_required_fields() == node.required.len() {
            return Flow::Continue(());
        }
        for name in &node.required {
            if !object.contains_key(&**name) {
                sink.report(ErrorOrigin::at_child("required"), || {
                    required(&path.field(name))
                })?;
            }
        }
        Flow::Continue(())
    }

    fn check_fields<'v, S: ErrorSink>(
        &self,
        node: &Node,
        object: &'v Map<String, Value>,
        old: Option<&OldValue<'_, 'v>>,
        path: &Path<'_>,
        sink: &mut S,
    ) -> Flow {
        // Errors in `apiVersion` and `kind` of the root are never tolerated.
        let is_root = path.is_root();
        for (key, value) in object {
            let Some((child, step)) = node.child_and_step(key) else {
                if node.additional_properties == AdditionalProperties::Forbidden {
                    sink.report(ErrorOrigin::of_keyword("additionalProperties"), || {
                        forbidden_key(path, key)
                    })?;
                }
                continue;
            };
            let old = old
                .filter(|_| !(is_root && matches!(key.as_str(), "apiVersion" | "kind")))
                .map(|old| old.child(key, self.schema.node(child)));
            self.check(child, value, old.as_ref(), &path.step(step), sink)?;
        }
        Flow::Continue(())
    }
}

/// Checks the length of a list or an object against its bounds, which are the values of two
/// keywords.
#[inline]
fn check_length<S: ErrorSink>(
    count: usize,
    [minimum, maximum]: [Option<i64>; 2],
    [minimum_keyword, maximum_keyword]: [&'static str; 2],
    path: &Path<'_>,
    sink: &mut S,
) -> Flow {
    let count = length(count);
    if let Some(minimum) = minimum.filter(|minimum| count < *minimum) {
        sink.report(ErrorOrigin::of_keyword(minimum_keyword), || {
            let noun = match minimum_keyword {
                "minItems" => "items",
                _ => "properties",
            };
            let rule = format!("should have at least {minimum} {noun}");
            invalid(path, print::bad_number(count), &rule)
        })?;
    }
    if let Some(maximum) = maximum.filter(|maximum| count > *maximum) {
        sink.report(ErrorOrigin::of_keyword(maximum_keyword), || {
            too_many(path, count, maximum)
        })?;
    }
    Flow::Continue(())
}

/// Returns a count in the type of the bounds.
pub(super) fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
