//! Compares enums that are not discriminators of unions.

use std::collections::{BTreeMap, HashSet};

use crd_compat::sample::{common_strings, small_value};
use serde_json::{Value, json};
use union_json::document::{SchemaPath, SchemaStep};

use crate::bounds::{ALL_OBJECTS, VALUE_TRIES};
use crate::compare::relation::{Relation, is_known_rejection, severity};
use crate::judge::decision::RequestOutcome;
use crate::judge::error_place::ErrorPlace;
use crate::judge::judge::{Judge, StoredResult};
use crate::report::enum_wording::{
    enum_closed, enum_opened, enum_value_added, enum_value_removed, invalid_default,
};
use crate::report::finding::{CompatReport, Finding};
use crate::report::wording::{Wording, default_changed};
use crate::version::enum_place::{EnumPlace, enum_places, own_keywords};
use crate::version::union_object::object_name;
use crate::version::version::ApiVersion;
use crate::version::version_side::VersionSide;
use crate::world::enclosing_object::EnclosingObject;

/// Strings that many enums do not have. They are tried first, because they are small.
const OTHER_STRINGS: [&str; 3] = ["a", "x1", "A1"];

/// The number of small values of each schema that are tried, beside the values of the enums.
const SMALL_VALUES: usize = 4;

/// Compares the enums of both versions, and adds the differences to the report.
pub(crate) fn compare_enums(
    versions: [&ApiVersion; 2],
    relation: Relation,
    earlier_versions: Option<[&ApiVersion; 2]>,
    report: &mut CompatReport,
) {
    let [old_places, new_places] = versions.map(|version| enum_places(version.schema()));
    let mut indexes = BTreeMap::new();
    let mut values_by_path: Vec<(SchemaPath, [Vec<Value>; 2])> = Vec::new();
    for EnumPlace { path, values } in old_places {
        indexes.insert(path.clone(), values_by_path.len());
        values_by_path.push((path, [values, Vec::new()]));
    }
    for EnumPlace { path, values } in new_places {
        let index = indexes.get(&path);
        match index.and_then(|index| values_by_path.get_mut(*index)) {
            Some((_, [_, new_values])) => *new_values = values,
            None => values_by_path.push((path, [Vec::new(), values])),
        }
    }
    for (path, values) in values_by_path {
        let schemas = versions.map(|version| path.find(version.schema()));
        let [Some(old_schema), Some(new_schema)] = schemas else {
            continue;
        };
        if is_discriminator(versions, &path) {
            continue;
        }
        report.enums += 1;
        let schemas = [old_schema, new_schema];
        let [old_keywords, new_keywords] = schemas.map(own_keywords);
        let [old_values, new_values] = &values;
        let is_equal_set =
            old_values.len() == new_values.len() && missing_in(new_values, old_values).is_empty();
        if is_equal_set && old_keywords == new_keywords {
            continue;
        }
        if report.objects >= ALL_OBJECTS {
            report.notes.push(format!(
                "{}: not compared, because the limit of {ALL_OBJECTS} objects is reached; compare it separately",
                object_name(&path)
            ));
            continue;
        }
        let comparison = EnumComparison {
            versions,
            relation,
            earlier_versions,
            path: &path,
            values: &values,
            schemas,
        };
        comparison.compare(report);
    }
}

/// Returns the values that are not in `others`. The time is linear, because enums may be long.
fn missing_in<'v>(others: &[Value], values: &'v [Value]) -> Vec<&'v Value> {
    let others: HashSet<String> = others.iter().map(Value::to_string).collect();
    let values = values.iter();
    values
        .filter(|value| !others.contains(&value.to_string()))
        .collect()
}

fn is_nullable(schema: &Value) -> bool {
    schema.get("nullable") == Some(&json!(true))
}

/// Returns true if the place is the discriminator of a union, which is compared with the union.
fn is_discriminator(versions: [&ApiVersion; 2], path: &SchemaPath) -> bool {
    let (Some(object_path), Some(SchemaStep::Property(name))) =
        (path.parent(), path.steps().next_back())
    else {
        return false;
    };
    let objects = versions.map(|version| version.union_object(&object_path));
    let mut unions = objects
        .into_iter()
        .flatten()
        .flat_map(|object| &object.unions);
    unions.any(|union| {
        let discriminator = union.discriminator.as_ref();
        discriminator.is_some_and(|discriminator| discriminator.name == name)
    })
}

/// A comparison of an enum in both versions.
struct EnumComparison<'a> {
    versions: [&'a ApiVersion; 2],
    relation: Relation,
    earlier_versions: Option<[&'a ApiVersion; 2]>,
    path: &'a SchemaPath,
    /// The values of the old and the new enum. An enum that a version does not have has no values.
    values: &'a [Vec<Value>; 2],
    schemas: [&'a Value; 2],
}

/// A value at the place, with the results of both versions.
struct ComparedValue {
    value: Value,
    is_listed: bool,
    old_result: StoredResult,
    new_result: StoredResult,
    /// The object that contains the value, if the version that accepts the value does not accept it
    /// in the object for all values.
    own_enclosing: Option<EnclosingObject>,
}

impl ComparedValue {
    const fn result(&self, side: VersionSide) -> &StoredResult {
        side.select([&self.old_result, &self.new_result])
    }

    /// Returns the versions that may accept the value in another object, because they accept it or
    /// reject it for a reason that does not only depend on the value.
    fn undecided_sides(&self, path: &SchemaPath) -> Vec<VersionSide> {
        let is_undecided = |side: &VersionSide| {
            let mut places = self.result(*side).error_places.iter();
            !places.any(|place| place.depends_only_on_value(path))
        };
        VersionSide::BOTH.into_iter().filter(is_undecided).collect()
    }

    fn is_accepted_by(&self, side: VersionSide) -> bool {
        !self.result(side).decisions.is_rejected()
    }
}

impl EnumComparison<'_> {
    fn compare(&self, report: &mut CompatReport) {
        let tried_values = self.tried_values();
        let around_object = EnclosingObject::around_object(self.versions, self.path);
        let compared = around_object
            .and_then(|enclosing| Some((self.compared_values(&tried_values, &enclosing)?, enclosing)))
            .or_else(|| {
                let enclosing = EnclosingObject::without_parents(self.versions, self.path)?;
                let values = self.compared_values(&tried_values, &enclosing)?;
                report.notes.push(format!(
                    "{}: compared by its own schema only, because no whole object was found that both versions accept",
                    object_name(self.path)
                ));
                Some((values, enclosing))
            });
        let Some((values, enclosing)) = compared else {
            report.notes.push(format!(
                "{}: not compared, because no object was found that a version accepts",
                object_name(self.path)
            ));
            return;
        };
        report.objects += values.len();
        let untried_values = tried_values.iter().skip(values.len());
        let untried_count = untried_values.filter(|(_, is_listed)| *is_listed).count();
        if untried_count > 0 {
            report.notes.push(format!(
                "{}: {untried_count} values of the enums were not compared, because the limit of {VALUE_TRIES} values is reached",
                object_name(self.path)
            ));
        }
        self.add_value_findings(&values, &enclosing, report);
        self.add_default_finding(report);
    }

    const fn judge<'j>(&'j self, enclosing: &'j EnclosingObject) -> Judge<'j> {
        Judge {
            versions: self.versions,
            path: self.path,
            enclosing,
            fields: &[],
        }
    }

    /// Returns the values with the results of both versions; `None` if a version rejects all.
    fn compared_values(
        &self,
        tried_values: &[(Value, bool)],
        enclosing: &EnclosingObject,
    ) -> Option<Vec<ComparedValue>> {
        let tried_values = tried_values.iter().take(VALUE_TRIES);
        let values: Vec<ComparedValue> = tried_values
            .map(|(value, is_listed)| self.compared_value(value, *is_listed, enclosing))
            .collect();
        let accepts_any = |side| values.iter().any(|value| value.is_accepted_by(side));
        VersionSide::BOTH
            .into_iter()
            .all(accepts_any)
            .then_some(values)
    }

    /// Returns a value with the results of both versions. If a version rejects the value for a
    /// reason outside of the value, the results are those for another object around the value.
    fn compared_value(
        &self,
        value: &Value,
        is_listed: bool,
        enclosing: &EnclosingObject,
    ) -> ComparedValue {
        let results_in = |enclosing: &EnclosingObject| {
            VersionSide::BOTH.map(|side| self.judge(enclosing).create(side, value))
        };
        let [old_result, new_result] = results_in(enclosing);
        let mut compared = ComparedValue {
            value: value.clone(),
            is_listed,
            old_result,
            new_result,
            own_enclosing: None,
        };
        let undecided = compared.undecided_sides(self.path);
        let is_accepted = |side: &VersionSide| compared.is_accepted_by(*side);
        let is_decided = undecided.iter().all(is_accepted)
            || !is_listed && !VersionSide::BOTH.iter().any(is_accepted);
        if enclosing.is_without_parents() || is_decided {
            return compared;
        }
        let attempts = std::iter::once(&undecided[..]).chain(undecided.chunks(1));
        let own_enclosing = attempts.into_iter().find_map(|sides| {
            EnclosingObject::around_value(self.versions, self.path, sides, value)
        });
        if let Some(enclosing) = own_enclosing {
            let [old_result, new_result] = results_in(&enclosing);
            compared.old_result = old_result;
            compared.new_result = new_result;
            compared.own_enclosing = Some(enclosing);
        }
        compared
    }

    /// Returns the listed values, which are marked as true, and the other values. The values that
    /// the versions most likely accept differently are first, because not all values of a long enum
    /// are tried.
    fn tried_values(&self) -> Vec<(Value, bool)> {
        let listed = self.listed_values().into_iter().map(|value| (value, true));
        let mut values: Vec<(Value, bool)> = listed.collect();
        let other: Vec<Value> = self.other_values();
        let room = VALUE_TRIES.saturating_sub(other.len());
        // If all values fit, they stay in the order of the enums.
        if values.len() > room {
            let [old_values, new_values] = self.values;
            let only_old = missing_in(new_values, old_values);
            let only_new = missing_in(old_values, new_values);
            let different = [only_old, only_new].concat().into_iter();
            let different: HashSet<String> = different.map(Value::to_string).collect();
            values.sort_by_cached_key(|(value, _)| !different.contains(&value.to_string()));
        }
        let other = other.into_iter().map(|value| (value, false));
        let end = room.min(values.len());
        values.splice(end..end, other);
        values
    }

    /// Returns the values of both enums, and null if a version accepts null.
    fn listed_values(&self) -> Vec<Value> {
        let null = self
            .schemas
            .into_iter()
            .any(is_nullable)
            .then_some(Value::Null);
        let mut seen_values = HashSet::new();
        let values = self.values.iter().flatten().chain(&null);
        let values = values.filter(|value| seen_values.insert(value.to_string()));
        values.cloned().collect()
    }

    /// Returns values of all types that no enum has.
    fn other_values(&self) -> Vec<Value> {
        let listed_values = self.listed_values();
        let mut known_values: HashSet<String> =
            listed_values.iter().map(Value::to_string).collect();
        let strings = OTHER_STRINGS.map(str::to_owned).into_iter();
        let strings = strings.chain(common_strings());
        let mut values: Vec<Value> = strings.map(Value::from).collect();
        for schema in self.schemas {
            let mut schema = schema.clone();
            if let Value::Object(keywords) = &mut schema {
                keywords.remove("enum");
            }
            let small_values = (0..SMALL_VALUES).map(|variant| small_value(&schema, variant));
            values.extend(small_values);
        }
        let integers = listed_values.iter().filter_map(Value::as_i64);
        let next_integer = integers.max().unwrap_or_default().saturating_add(1);
        values.extend([
            json!(next_integer),
            json!(0),
            json!(0.5),
            json!(true),
            json!(false),
        ]);
        values.retain(|value| known_values.insert(value.to_string()));
        values
    }

    /// Adds the differences about values that only one version accepts. Values that are not listed
    /// are one difference.
    fn add_value_findings(
        &self,
        values: &[ComparedValue],
        enclosing: &EnclosingObject,
        report: &mut CompatReport,
    ) {
        let judge = self.judge(enclosing);
        let earlier_enclosing = self.earlier_enclosing(enclosing);
        let earlier_judge = earlier_enclosing
            .as_ref()
            .map(|(versions, enclosing)| Judge {
                versions: *versions,
                enclosing,
                ..judge
            });
        for accepting_side in [VersionSide::Old, VersionSide::New] {
            let is_different =
                |value: &&ComparedValue| self.is_only_accepted_by(accepting_side, value);
            let (listed, other): (Vec<_>, Vec<_>) = values
                .iter()
                .filter(is_different)
                .partition(|value| value.is_listed);
            // The enum is the only keyword that rejects the value, if there is such a value.
            let other = other.into_iter().min_by_key(|value| {
                let places = self.own_error_places(value.result(accepting_side.other()));
                places.iter().filter(|it| !it.may_be_of_enum()).count()
            });
            for compared_value in listed.into_iter().chain(other) {
                let value = &compared_value.value;
                let is_listed = compared_value.is_listed;
                let is_removed_or_added = is_listed && self.is_listed(accepting_side, value);
                let wording = match (accepting_side, is_removed_or_added) {
                    (VersionSide::Old, true) => enum_value_removed(value),
                    (VersionSide::New, true) => enum_value_added(value),
                    (VersionSide::Old, false) => enum_closed(value),
                    (VersionSide::New, false) => enum_opened(value),
                };
                let is_known = earlier_judge.is_some_and(|earlier_judge| {
                    is_known_rejection(&earlier_judge, value, accepting_side)
                });
                let own_judge = compared_value.own_enclosing.as_ref();
                let judge = own_judge.map_or(judge, |enclosing| self.judge(enclosing));
                let finding = self.value_finding(&judge, compared_value, accepting_side, wording);
                if is_known {
                    report.known_findings.push(finding);
                } else {
                    report.findings.push(finding);
                }
            }
        }
    }

    /// Returns true if one version accepts and stores a value, and the other version rejects the
    /// value itself. A server drops null where the schema is not nullable.
    fn is_only_accepted_by(&self, side: VersionSide, compared_value: &ComparedValue) -> bool {
        let value = &compared_value.value;
        let is_listed = self.is_listed(side, value);
        // A value that the accepting version does not list is rejected by an enum, and not by
        // another keyword of the value.
        let may_be_of_enum =
            |place: &ErrorPlace| is_listed || value.is_null() || place.may_be_of_enum();
        let own_places = self.own_error_places(compared_value.result(side.other()));
        compared_value.is_accepted_by(side)
            && own_places.iter().any(may_be_of_enum)
            && (!value.is_null() || is_nullable(side.select(self.schemas)))
    }

    /// Returns the parts of the schema that reject the value itself.
    fn own_error_places(&self, result: &StoredResult) -> Vec<ErrorPlace> {
        let places = result.error_places.iter();
        let is_own = |place: &&ErrorPlace| {
            let mut schemas = self.schemas.into_iter();
            schemas.any(|schema| place.is_about_value(self.path, schema))
        };
        places.filter(is_own).cloned().collect()
    }

    /// Returns true if a version lists a value.
    fn is_listed(&self, side: VersionSide, value: &Value) -> bool {
        let [old_values, new_values] = self.values;
        match side {
            VersionSide::Old => old_values.contains(value),
            VersionSide::New => new_values.contains(value),
        }
    }

    fn value_finding(
        &self,
        judge: &Judge<'_>,
        compared_value: &ComparedValue,
        accepting_side: VersionSide,
        wording: Wording,
    ) -> Finding {
        let ComparedValue {
            value,
            old_result,
            new_result,
            ..
        } = compared_value;
        let (stored_objects, old_clients, new_clients) = match accepting_side {
            VersionSide::Old => (
                judge.edit_elsewhere(VersionSide::New, value).outcome(),
                new_result.outcome(),
                judge.write_back(VersionSide::New, VersionSide::New, value),
            ),
            VersionSide::New => (
                RequestOutcome::Impossible,
                judge.write_back(VersionSide::Old, VersionSide::New, value),
                old_result.outcome(),
            ),
        };
        let is_breaking = accepting_side == VersionSide::Old
            || self.relation == Relation::ServedTogether
            || matches!(old_clients, RequestOutcome::Unreadable(_));
        Finding {
            code: wording.code,
            severity: severity(is_breaking),
            pointer: self.path.to_string(),
            path: self.path.to_field_notation(),
            is_about_enum: true,
            subjects: wording.subjects,
            description: wording.description,
            object: value.clone(),
            before: old_result.decisions.clone(),
            after: new_result.decisions.clone(),
            stored_as: None,
            update_example: None,
            stored_objects,
            old_clients,
            new_clients,
            remedy: wording.remedy,
            fields: wording.fields,
            is_about_other_rule: false,
            error_places: self.own_error_places(compared_value.result(accepting_side.other())),
        }
    }

    /// Returns the earlier versions, with enclosing objects of the same kind as `enclosing`.
    fn earlier_enclosing(
        &self,
        enclosing: &EnclosingObject,
    ) -> Option<([&ApiVersion; 2], EnclosingObject)> {
        let versions = self.earlier_versions?;
        Some((versions, enclosing.of_other_versions(versions, self.path)?))
    }

    /// Adds a finding if an object without the field is now rejected, or is stored with another
    /// default.
    fn add_default_finding(&self, report: &mut CompatReport) {
        let [old_default, new_default] = self.schemas.map(|schema| schema.get("default"));
        let (Some(object_path), Some(SchemaStep::Property(name))) =
            (self.path.parent(), self.path.steps().next_back())
        else {
            return;
        };
        // An object without a changed default is stored as before.
        let is_default_listed = |default: &Value| {
            let [_, new_values] = self.values;
            new_values.is_empty() || new_values.contains(default)
        };
        if old_default == new_default && new_default.is_none_or(is_default_listed) {
            return;
        }
        let around_object = EnclosingObject::around_object(self.versions, &object_path);
        let without_parents = EnclosingObject::without_parents(self.versions, &object_path);
        let enclosing_objects = [around_object, without_parents];
        let accepted = enclosing_objects
            .into_iter()
            .flatten()
            .find_map(|enclosing| {
                let mut object = enclosing
                    .base_object()
                    .as_object()
                    .cloned()
                    .unwrap_or_default();
                object.remove(name);
                let object = Value::Object(object);
                let judge = Judge {
                    path: &object_path,
                    ..self.judge(&enclosing)
                };
                let is_accepted = judge.create(VersionSide::Old, &object).stored.is_some();
                is_accepted.then_some((enclosing, object))
            });
        let Some((enclosing, object)) = accepted else {
            return;
        };
        let judge = Judge {
            path: &object_path,
            ..self.judge(&enclosing)
        };
        let finding = self.default_finding(&judge, &object_path, name, object);
        report.findings.extend(finding);
    }

    /// Returns the finding about an object without the field; `None` if both versions store the
    /// object in the same way.
    fn default_finding(
        &self,
        judge: &Judge<'_>,
        object_path: &SchemaPath,
        name: &str,
        object: Value,
    ) -> Option<Finding> {
        let [old_result, new_result] =
            [VersionSide::Old, VersionSide::New].map(|side| judge.create(side, &object));
        let old_stored = old_result.stored.as_ref()?;
        let new_default = self.schemas[1].get("default");
        let mut stored_as = None;
        let (wording, is_breaking) = match (&new_result.stored, new_default) {
            (None, Some(default)) if !self.own_error_places(&new_result).is_empty() => {
                (invalid_default(name, default), true)
            }
            (None, _) => return None,
            (Some(new_stored), _) => {
                let [old_value, new_value] =
                    [old_stored, new_stored].map(|stored| stored.get(name));
                if old_value == new_value {
                    return None;
                }
                stored_as = Some([old_stored.clone(), new_stored.clone()]);
                // An added default leaves it to clients if an absent field means the same.
                let is_breaking = old_value.is_some() && new_value.is_some();
                (default_changed(name), is_breaking)
            }
        };
        let error_places = self.own_error_places(&new_result);
        Some(Finding {
            code: wording.code,
            severity: severity(is_breaking || self.relation == Relation::ServedTogether),
            pointer: object_path.to_string(),
            path: object_path.to_field_notation(),
            is_about_enum: true,
            subjects: wording.subjects,
            description: wording.description,
            stored_objects: judge.edit_elsewhere(VersionSide::New, old_stored).outcome(),
            old_clients: new_result.outcome(),
            new_clients: judge.write_back(VersionSide::New, VersionSide::New, old_stored),
            object,
            before: old_result.decisions,
            after: new_result.decisions,
            stored_as,
            update_example: None,
            remedy: wording.remedy,
            fields: wording.fields,
            is_about_other_rule: false,
            error_places,
        })
    }
}
