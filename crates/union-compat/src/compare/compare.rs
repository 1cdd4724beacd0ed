//! Finds the differences between two versions: both versions validate many small objects (`world`).
//! If no version accepts the object for a state of the unions, a search adds the fields that the
//! rules require. Each difference is reported with the smallest object that shows it.

use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use crate::bounds::{ALL_OBJECTS, ALL_STATE_VALIDATIONS, STATE_VALIDATIONS, UPDATE_TRIES};
use crate::compare::compared_object::{ComparedObject, objects_with_required_fields};
use crate::compare::enums::compare_enums;
use crate::compare::relation::{Relation, is_known_rejection, severity};
use crate::compare::undecided::undecided_notes;
use crate::judge::decision::{Decision, RequestOutcome};
use crate::judge::error_place::ErrorPlace;
use crate::judge::judge::{Judge, StoredResult};
use crate::report::cause::{Cause, find_cause};
use crate::report::finding::{ChangeCode, CompatReport, Finding, Severity, UpdateExample};
use crate::report::wording::{Wording, default_changed, rule_missing, wording};
use crate::version::compared_union::ComparedUnion;
use crate::version::union_object::UnionObject;
use crate::version::union_object::object_name;
use crate::version::version::{ApiVersion, Root};
use crate::version::version_side::VersionSide;
use crate::world::enclosing_object::EnclosingObject;
use crate::world::object_space::{MatchedUnions, ObjectSpace, match_unions};
use crate::world::options::Options;
use crate::world::state_search::{SearchBudget, StateSearch};
use crate::world::value::ValueSource;

/// Compares two versions, and returns the effects on objects and clients when the new version
/// replaces the old one. Use [`Options::compare`] to pass values of members.
///
/// ```
/// use serde_json::json;
/// use union_compat::{ChangeCode, ApiVersion, compare};
///
/// let strategy = |optional: bool| json!({
///     "type": "object",
///     "required": ["type"],
///     "properties": {
///         "type": {
///             "type": "string",
///             "enum": ["Recreate", "RollingUpdate"],
///             "x-kubernetes-unions": {"fieldMembers": {
///                 "Recreate": null,
///                 "RollingUpdate": {"name": "rollingUpdate", "optional": optional},
///             }},
///         },
///         "rollingUpdate": {"type": "object"},
///     },
/// });
/// let old = ApiVersion::from_schema("v1", &strategy(true))?;
/// let new = ApiVersion::from_schema("v2", &strategy(false))?;
///
/// let found = compare(&old, &new);
/// let [finding] = &*found.findings else { panic!("one finding") };
/// assert_eq!(finding.code, ChangeCode::MemberRequired);
/// assert_eq!(finding.object, json!({"type": "RollingUpdate"}));
/// # Ok::<(), union_compat::VersionError>(())
/// ```
#[must_use]
pub fn compare(old: &ApiVersion, new: &ApiVersion) -> CompatReport {
    Options::new().compare(old, new)
}

impl Options<'_> {
    /// Compares two versions like [`compare`], with the values of the options.
    #[must_use]
    pub fn compare(&self, old: &ApiVersion, new: &ApiVersion) -> CompatReport {
        compare_related([old, new], Relation::Upgrade, None, self.values)
    }
}

/// Compares two versions that have this relation. `earlier_versions` are the two versions before
/// the change of the CRD; differences that they also have are known findings.
pub(crate) fn compare_related(
    versions: [&ApiVersion; 2],
    relation: Relation,
    earlier_versions: Option<[&ApiVersion; 2]>,
    values: ValueSource<'_>,
) -> CompatReport {
    let [old, new] = versions;
    let mut report = CompatReport::new(versions);
    for version in versions {
        for note in version.notes() {
            if !report.notes.contains(note) {
                report.notes.push(note.clone());
            }
        }
    }
    let mut paths: Vec<&SchemaPath> = old
        .union_objects()
        .iter()
        .map(|union_object| &union_object.path)
        .collect();
    let new_paths = new
        .union_objects()
        .iter()
        .map(|union_object| &union_object.path);
    let added_paths: Vec<&SchemaPath> = new_paths.filter(|path| !paths.contains(path)).collect();
    paths.extend(added_paths);
    let budget = SearchBudget::new();
    for path in paths {
        if report.objects >= ALL_OBJECTS {
            report.notes.push(format!(
                "{}: not compared, because the limit of {ALL_OBJECTS} objects is reached; compare it separately",
                object_name(path)
            ));
            continue;
        }
        compare_objects_at(
            versions,
            relation,
            earlier_versions,
            path,
            values,
            &budget,
            &mut report,
        );
    }
    compare_enums(versions, relation, earlier_versions, &mut report);
    // The sort is stable, so that equal severities keep the schema order.
    report.findings.sort_by_key(|finding| finding.severity);
    report
        .known_findings
        .sort_by_key(|finding| finding.severity);
    report
}

/// Compares the objects at a path, or reports that a version does not have the object.
fn compare_objects_at(
    versions: [&ApiVersion; 2],
    relation: Relation,
    earlier_versions: Option<[&ApiVersion; 2]>,
    path: &SchemaPath,
    values: ValueSource<'_>,
    budget: &SearchBudget,
    report: &mut CompatReport,
) {
    let [old, new] = versions;
    let (Some(old_schema), Some(new_schema)) = (path.find(old.schema()), path.find(new.schema()))
    else {
        // If only the new version has the object, an upgrade has no effect on clients. But if both
        // versions are served, the object is lost when a client writes through the old version.
        let side_without_object = if path.find(new.schema()).is_none() {
            VersionSide::New
        } else {
            VersionSide::Old
        };
        if side_without_object == VersionSide::New || relation == Relation::ServedTogether {
            report_removed_object(
                versions,
                side_without_object,
                earlier_versions,
                path,
                report,
            );
        }
        return;
    };
    let schemas = [old_schema, new_schema];
    report.union_objects += 1;
    let unions_at = |version: &'_ ApiVersion| -> Vec<ComparedUnion> {
        let union_object = version.union_object(path);
        union_object.map_or(Vec::new(), |union_object: &UnionObject| {
            union_object.unions.clone()
        })
    };
    let (old_unions, new_unions) = (unions_at(old), unions_at(new));
    let enclosing = EnclosingObject::around_object(versions, path)
        .or_else(|| EnclosingObject::without_parents(versions, path));
    let Some(enclosing) = enclosing else {
        return;
    };
    let groups = match_unions(&old_unions, &new_unions);
    for (index, matched_unions) in groups.iter().enumerate() {
        let other_unions: Vec<&ComparedUnion> = groups
            .iter()
            .enumerate()
            .filter(|(other_index, _)| *other_index != index)
            .filter_map(|(_, group)| group.new.first().or(group.old.first()).copied())
            .collect();
        let space =
            matched_unions.object_space(enclosing.base_object(), &other_unions, &schemas, values);
        let comparison = UnionComparison {
            versions,
            relation,
            earlier_versions,
            path,
            unions: matched_unions,
            space: &space,
            schemas,
            budget,
        };
        comparison.compare(&enclosing, report);
    }
}

/// Adds a finding for an object with a union that the version `side_without_object` does not have.
/// That version drops the whole object.
fn report_removed_object(
    versions: [&ApiVersion; 2],
    side_without_object: VersionSide,
    earlier_versions: Option<[&ApiVersion; 2]>,
    path: &SchemaPath,
    report: &mut CompatReport,
) {
    let version_with_object = side_without_object.other().select(versions);
    let has_path = |side: VersionSide, versions: [&ApiVersion; 2]| {
        let schema = side.select(versions).schema();
        path.find(schema).is_some()
    };
    let is_known = earlier_versions.is_some_and(|earlier_versions| {
        !has_path(side_without_object, earlier_versions)
            && has_path(side_without_object.other(), earlier_versions)
    });
    let findings = if is_known {
        &mut report.known_findings
    } else {
        &mut report.findings
    };
    // A finding about an outer object covers the objects inside it.
    let covers_path = |finding: &Finding| {
        finding.code == ChangeCode::ObjectRemoved && is_inside(path, &finding.pointer)
    };
    if findings.iter().any(covers_path) || is_inside_member(version_with_object, path) {
        return;
    }
    let enclosing = EnclosingObject::around_object(versions, path);
    let Some(enclosing) = enclosing else {
        report.notes.push(no_object_note(path));
        return;
    };
    let judge = Judge {
        versions,
        path,
        enclosing: &enclosing,
        fields: &[],
    };
    findings.push(removed_object_finding(&judge, side_without_object));
}

/// Returns the finding about an object that the version `side_without_object` does not have.
fn removed_object_finding(judge: &Judge<'_>, side_without_object: VersionSide) -> Finding {
    let path = judge.path;
    let object = judge.enclosing.base_object().clone();
    let [before, after] = VersionSide::BOTH.map(|side| judge.create(side, &object).decisions);
    let pointer = path.to_string();
    let path = path.to_field_notation();
    let loss = RequestOutcome::FieldsLost(vec![path.clone()]);
    let (stored, old_clients, new_clients) = match side_without_object {
        VersionSide::New => (loss.clone(), loss, RequestOutcome::Accepted),
        VersionSide::Old => (RequestOutcome::Impossible, loss.clone(), loss),
    };
    Finding {
        code: ChangeCode::ObjectRemoved,
        severity: Severity::Breaking,
        pointer,
        description: format!(
            "{} has no union at `{path}`",
            side_without_object.select(judge.versions).name()
        ),
        remedy: format!(
            "keep `{path}` in the schema until no object has it, because API servers drop fields that the schema does not have"
        ),
        is_about_enum: false,
        subjects: vec![path.clone()],
        path,
        object,
        before,
        after,
        stored_as: None,
        update_example: None,
        stored_objects: stored,
        old_clients,
        new_clients,
        fields: Vec::new(),
        is_about_other_rule: false,
        error_places: Vec::new(),
    }
}

fn no_object_note(path: &SchemaPath) -> String {
    format!(
        "{}: not compared, because no object was found that a version accepts; pass values of its members",
        object_name(path)
    )
}

/// Returns true if the path is inside the object at the pointer.
fn is_inside(path: &SchemaPath, pointer: &str) -> bool {
    SchemaPath::from_pointer(pointer)
        .is_some_and(|outer| *path != outer && path.starts_with(&outer))
}

/// Returns true if the path is inside a member of a union. The removal of that member is a finding
/// about the union.
fn is_inside_member(version: &ApiVersion, path: &SchemaPath) -> bool {
    version.union_objects().iter().any(|union_object| {
        let Some(inner_path) = path.strip_prefix(&union_object.path) else {
            return false;
        };
        let mut members = union_object.unions.iter().flat_map(|union| &union.members);
        match inner_path.steps().next() {
            Some(SchemaStep::Property(name)) => members.any(|member| member.name == name),
            _ => false,
        }
    })
}

/// A comparison of matched unions in both versions.
struct UnionComparison<'a> {
    versions: [&'a ApiVersion; 2],
    relation: Relation,
    earlier_versions: Option<[&'a ApiVersion; 2]>,
    path: &'a SchemaPath,
    unions: &'a MatchedUnions<'a>,
    space: &'a ObjectSpace,
    schemas: [&'a Value; 2],
    budget: &'a SearchBudget,
}

/// The differences between the unions of two versions.
#[derive(Default)]
struct Differences {
    findings: Vec<Finding>,
    /// The differences that already existed between the earlier versions.
    known_findings: Vec<Finding>,
    /// The number of objects that both versions validated.
    objects: usize,
    notes: Vec<String>,
}

impl Differences {
    fn findings_for(&mut self, is_known: bool) -> &mut Vec<Finding> {
        if is_known {
            &mut self.known_findings
        } else {
            &mut self.findings
        }
    }
}

impl UnionComparison<'_> {
    /// Compares the unions, and adds the differences and notes about omitted objects to the report.
    fn compare(&self, enclosing: &EnclosingObject, report: &mut CompatReport) {
        report.notes.extend(self.notes());
        let with_parents = Some(enclosing).filter(|enclosing| !enclosing.is_without_parents());
        let with_parents = with_parents.and_then(|enclosing| self.find_differences(enclosing));
        let differences = with_parents.or_else(|| {
            let enclosing = EnclosingObject::without_parents(self.versions, self.path)?;
            let differences = self.find_differences(&enclosing)?;
            if !(self.versions[0].root() == Root::Embedded && self.path.is_root()) {
                report.notes.push(format!(
                    "{}: compared by its own schema only, because no whole object was found that both versions accept",
                    object_name(self.path)
                ));
            }
            Some(differences)
        });
        let Some(differences) = differences else {
            report.objects += self.space.objects.len();
            report.notes.push(no_object_note(self.path));
            return;
        };
        report.objects += differences.objects;
        report.notes.extend(differences.notes);
        report.findings.extend(differences.findings);
        report.known_findings.extend(differences.known_findings);
    }

    fn notes(&self) -> Vec<String> {
        let name = object_name(self.path);
        let members_without_value = self.space.members_without_value.iter();
        let mut notes: Vec<String> = members_without_value
            .map(|member| {
                format!(
                    "{name}: `{member}` is never set, because no value was found that its schema accepts; pass a value"
                )
            })
            .collect();
        if !self.space.is_complete {
            notes.push(format!(
                "{name}: objects with many members set are left out; the smallest {} objects were compared",
                self.space.objects.len()
            ));
        }
        notes
    }

    /// Returns the notes about the objects that were found, and about the searches for them.
    fn notes_about(&self, objects: &[ComparedObject], search: &StateSearch<'_>) -> Vec<String> {
        let mut notes = undecided_notes(self.unions, self.schemas, objects);
        if search.is_incomplete() {
            notes.push(format!(
                "objects whose rules require other fields are left out, because the limit of {STATE_VALIDATIONS} validated objects ({ALL_STATE_VALIDATIONS} for all unions) is reached"
            ));
        }
        let name = object_name(self.path);
        notes.iter().map(|note| format!("{name}: {note}")).collect()
    }

    /// Returns the differences; `None` if one of the versions accepts no object.
    fn find_differences(&self, enclosing: &EnclosingObject) -> Option<Differences> {
        let judge = Judge {
            versions: self.versions,
            path: self.path,
            enclosing,
            fields: &self.space.fields,
        };
        let objects = self.space.objects.iter();
        let mut objects: Vec<ComparedObject> = objects
            .map(|object| ComparedObject::new(&judge, object))
            .collect();
        let search = StateSearch::new(
            self.versions,
            self.path,
            enclosing,
            self.unions,
            self.budget,
        );
        let found_objects = objects_with_required_fields(&objects, &judge, &search);
        objects.extend(found_objects);
        let is_accepted = |result: &StoredResult| !result.decisions.server.is_rejected();
        let mut old_results = objects.iter().map(|object| &object.old_result);
        let mut new_results = objects.iter().map(|object| &object.new_result);
        if !old_results.any(is_accepted) || !new_results.any(is_accepted) {
            return None;
        }
        let versions_and_enclosing = self.earlier_enclosing(enclosing);
        let earlier_judge = versions_and_enclosing
            .as_ref()
            .map(|(versions, enclosing)| Judge {
                versions: *versions,
                enclosing,
                ..judge
            });
        let mut differences = Differences {
            objects: objects.len(),
            notes: self.notes_about(&objects, &search),
            ..Differences::default()
        };
        self.add_rejection_differences(&judge, earlier_judge.as_ref(), &objects, &mut differences);
        self.add_acceptance_differences(&judge, earlier_judge.as_ref(), &objects, &mut differences);
        Some(differences)
    }

    /// Adds the differences about objects that only one version accepts and stores completely.
    fn add_rejection_differences(
        &self,
        judge: &Judge<'_>,
        earlier_judge: Option<&Judge<'_>>,
        objects: &[ComparedObject],
        differences: &mut Differences,
    ) {
        // Objects that only the old version accepts are reported first. The other direction often
        // shows the same difference.
        for accepting_side in [VersionSide::Old, VersionSide::New] {
            for compared_object in objects {
                let Some(wording) = self.wording_for(compared_object, accepting_side) else {
                    continue;
                };
                let is_known = earlier_judge.is_some_and(|earlier_judge| {
                    compared_object.is_known(earlier_judge, |earlier_judge, object| {
                        is_known_rejection(earlier_judge, object, accepting_side)
                    })
                });
                let findings = differences.findings_for(is_known);
                let is_reported = |finding: &&mut Finding| {
                    finding.code == wording.code
                        && finding.subjects == wording.subjects
                        && finding.is_about_other_rule == wording.is_about_other_rule
                };
                match findings.iter_mut().find(is_reported) {
                    Some(finding) => {
                        finding.add_error_places(compared_object.rejected_by(accepting_side));
                    }
                    None => findings.push(self.create_finding(
                        &compared_object.judge(*judge),
                        compared_object,
                        accepting_side,
                        wording,
                    )),
                }
            }
        }
        remove_places_of_other_rules(&mut differences.findings);
        remove_places_of_other_rules(&mut differences.known_findings);
    }

    /// Adds the differences about objects that both versions accept.
    fn add_acceptance_differences(
        &self,
        judge: &Judge<'_>,
        earlier_judge: Option<&Judge<'_>>,
        objects: &[ComparedObject],
        differences: &mut Differences,
    ) {
        for compared_object in objects {
            let judge = compared_object.judge(*judge);
            let finding = self
                .default_changed_finding(&judge, compared_object)
                .or_else(|| self.unreadable_finding(&judge, compared_object));
            let Some(finding) = finding else { continue };
            let is_known = finding.stored_as.as_ref().is_some_and(|stored| {
                earlier_judge.is_some_and(|earlier_judge| {
                    compared_object.is_known(earlier_judge, |earlier_judge, object| {
                        is_known_storage(earlier_judge, object, stored)
                    })
                })
            });
            let findings = differences.findings_for(is_known);
            let is_reported = |earlier_finding: &Finding| {
                earlier_finding.code == finding.code && earlier_finding.subjects == finding.subjects
                    || finding.code == ChangeCode::Unreadable
                        && is_about_same_object(&finding, earlier_finding)
            };
            if !findings.iter().any(is_reported) {
                findings.push(finding);
            }
        }
    }

    /// Returns the earlier versions, with enclosing objects of the same kind as `enclosing`.
    fn earlier_enclosing(
        &self,
        enclosing: &EnclosingObject,
    ) -> Option<([&ApiVersion; 2], EnclosingObject)> {
        let earlier_versions = self.earlier_versions?;
        Some((
            earlier_versions,
            enclosing.of_other_versions(earlier_versions, self.path)?,
        ))
    }

    /// Returns the wording for an object that the version `accepting_side` stores completely, and
    /// that the other version rejects or stores without a field.
    fn wording_for(
        &self,
        compared_object: &ComparedObject,
        accepting_side: VersionSide,
    ) -> Option<Wording> {
        let accepting_result = compared_object.result(accepting_side);
        let rejecting_result = compared_object.result(accepting_side.other());
        if !accepting_result.is_stored_in_full() || rejecting_result.is_stored_in_full() {
            return None;
        }
        let [old, new] = self.schemas;
        let (accepting_unions, rejecting_unions, schemas) = match accepting_side {
            VersionSide::Old => (&self.unions.old, &self.unions.new, [old, new]),
            VersionSide::New => (&self.unions.new, &self.unions.old, [new, old]),
        };
        let cause = find_cause(
            &compared_object.object,
            accepting_unions,
            rejecting_unions,
            schemas,
            &error_path(rejecting_result),
        );
        // If the unions are equal, another rule causes the rejection.
        let is_other_rule = matches!(rejecting_result.decisions.union, Decision::Accepted)
            && (self.has_same_unions(&cause) || !self.is_about_union(rejecting_result, &cause));
        let cause = if is_other_rule {
            Cause::Rule(error_path(rejecting_result))
        } else {
            cause
        };
        let is_about_other_rule = matches!(cause, Cause::Rule(_));
        if self.relation == Relation::ServedTogether && cause.is_rule_difference() {
            let [old, new] = self.versions.map(ApiVersion::name);
            let (without_rule, with_rule) = match accepting_side {
                VersionSide::Old => (old, new),
                VersionSide::New => (new, old),
            };
            return Some(Wording {
                is_about_other_rule,
                ..rule_missing(without_rule, with_rule)
            });
        }
        Some(Wording {
            is_about_other_rule,
            ..wording(&cause, accepting_side)
        })
    }

    /// Returns true if a server that rejects an object reports an error about the union, and not
    /// only errors about the values of members and about values around the object.
    fn is_about_union(&self, rejecting_result: &StoredResult, cause: &Cause) -> bool {
        if matches!(cause, Cause::DefaultChanged(_)) {
            return true;
        }
        let is_about_union =
            |place: &ErrorPlace| place.is_about_fields(self.path, &self.space.fields);
        !rejecting_result.lost_fields.is_empty()
            || rejecting_result.error_places.iter().any(is_about_union)
    }

    /// Returns true if both versions have equal unions, so that the difference is in another rule.
    fn has_same_unions(&self, cause: &Cause) -> bool {
        !matches!(cause, Cause::DefaultChanged(_)) && self.unions.old == self.unions.new
    }

    fn create_finding(
        &self,
        judge: &Judge<'_>,
        compared_object: &ComparedObject,
        accepting_side: VersionSide,
        wording: Wording,
    ) -> Finding {
        let object = &compared_object.object;
        let [before, after] = [&compared_object.old_result, &compared_object.new_result]
            .map(|result| result.decisions.clone());
        let stored = match accepting_side {
            VersionSide::Old => judge.edit_elsewhere(VersionSide::New, object).outcome(),
            VersionSide::New => RequestOutcome::Impossible,
        };
        let old_clients = match accepting_side {
            VersionSide::Old => compared_object.new_result.outcome(),
            VersionSide::New => judge.write_back(VersionSide::Old, VersionSide::New, object),
        };
        let new_clients = match accepting_side {
            VersionSide::Old => judge.write_back(VersionSide::New, VersionSide::New, object),
            VersionSide::New => compared_object.old_result.outcome(),
        };
        let update_example = match accepting_side {
            VersionSide::Old if !stored.is_failure() => self.find_rejected_update(judge, object),
            _ => None,
        };
        let is_breaking = match accepting_side {
            VersionSide::Old => true,
            VersionSide::New => {
                self.relation == Relation::ServedTogether
                    || matches!(old_clients, RequestOutcome::Unreadable(_))
            }
        };
        Finding {
            code: wording.code,
            severity: severity(is_breaking),
            pointer: self.path.to_string(),
            path: self.path.to_field_notation(),
            is_about_enum: false,
            subjects: wording.subjects,
            description: wording.description,
            object: object.clone(),
            before,
            after,
            stored_as: None,
            update_example,
            stored_objects: stored,
            old_clients,
            new_clients,
            remedy: wording.remedy,
            fields: wording.fields,
            is_about_other_rule: wording.is_about_other_rule,
            error_places: compared_object.rejected_by(accepting_side).to_vec(),
        }
    }

    /// Returns an update of the stored object that the new version rejects. First, another
    /// value of a member that the object has is tried, then another object.
    fn find_rejected_update(&self, judge: &Judge<'_>, object: &Value) -> Option<UpdateExample> {
        let edited_objects = self
            .space
            .alternate_values
            .iter()
            .filter_map(|(name, alternate)| {
                let mut edited_object = object.as_object()?.clone();
                let value = edited_object.get_mut(name)?;
                *value = alternate.clone();
                Some(Value::Object(edited_object))
            });
        // Updates to the other objects of the space, for objects that do not have a member.
        let other_objects = self
            .space
            .objects
            .iter()
            .filter(|other| *other != object)
            .cloned();
        edited_objects
            .chain(other_objects)
            .take(UPDATE_TRIES)
            .find_map(|new| {
                let before = judge.replace(VersionSide::Old, object, &new);
                let after = judge.replace(VersionSide::New, object, &new);
                (before.is_stored_in_full() && after.decisions.is_rejected()).then(|| {
                    UpdateExample {
                        old: object.clone(),
                        new,
                        before: before.decisions,
                        after: after.decisions,
                    }
                })
            })
    }

    /// Returns a finding if both versions accept an object, but store it with different values of a
    /// discriminator.
    fn default_changed_finding(
        &self,
        judge: &Judge<'_>,
        compared_object: &ComparedObject,
    ) -> Option<Finding> {
        if !compared_object.old_result.is_stored_in_full()
            || !compared_object.new_result.is_stored_in_full()
        {
            return None;
        }
        let [old, new] = [&compared_object.old_result, &compared_object.new_result]
            .map(|result| result.stored.as_ref());
        let (old, new) = (old?, new?);
        let discriminator_value = |unions: &[&ComparedUnion], object: &Value, name: &str| {
            let union = unions.iter().find(|union| {
                union
                    .discriminator
                    .as_ref()
                    .is_some_and(|declared| declared.name == name)
            })?;
            Some(union.discriminator_value(object).map(str::to_owned))
        };
        let discriminators = self
            .unions
            .old
            .iter()
            .filter_map(|union| union.discriminator.as_ref());
        let changed_discriminator = discriminators.into_iter().find(|discriminator| {
            let name = &discriminator.name;
            let old_value = discriminator_value(&self.unions.old, old, name);
            let new_value = discriminator_value(&self.unions.new, new, name);
            new_value.is_some() && old_value != new_value
        })?;
        let wording = default_changed(&changed_discriminator.name);
        let mut finding = self.create_finding(judge, compared_object, VersionSide::Old, wording);
        finding.stored_as = Some([old.clone(), new.clone()]);
        Some(finding)
    }

    /// Returns a finding if both versions accept an object that the type of one client cannot read.
    fn unreadable_finding(
        &self,
        judge: &Judge<'_>,
        compared_object: &ComparedObject,
    ) -> Option<Finding> {
        let (client, stored) = [
            (VersionSide::Old, &compared_object.new_result),
            (VersionSide::New, &compared_object.old_result),
        ]
        .into_iter()
        .find_map(|(client, result)| {
            let stored = result
                .stored
                .as_ref()
                .filter(|_| result.is_stored_in_full())?;
            let is_stored_by_own_version = match client {
                VersionSide::Old => compared_object.old_result.is_stored_in_full(),
                VersionSide::New => true,
            };
            let is_unreadable =
                is_stored_by_own_version && judge.read_as_client(client, stored).is_err();
            // If the type of the other version cannot read the object either, nothing changed.
            let other_client = client.other();
            (is_unreadable && judge.read_as_client(other_client, stored).is_ok())
                .then_some((client, stored))
        })?;
        let error = judge.read_as_client(client, stored).err()?;
        let client_name = match client {
            VersionSide::Old => "old",
            VersionSide::New => "new",
        };
        let wording = Wording {
            code: ChangeCode::Unreadable,
            subjects: vec![client_name.to_owned(), error],
            fields: Vec::new(),
            is_about_other_rule: false,
            description: format!(
                "the {client_name} type cannot deserialize an object that the other version stores"
            ),
            remedy:
                "add an `other` variant to the enum, and make fields that may be absent optional"
                    .to_owned(),
        };
        Some(self.create_finding(judge, compared_object, VersionSide::Old, wording))
    }
}

/// Removes the parts of the schema that reject objects without a change of the union. Such a rule
/// may also reject the objects of a finding about the union.
fn remove_places_of_other_rules(findings: &mut [Finding]) {
    let other_rules = findings
        .iter()
        .filter(|finding| finding.is_about_other_rule);
    let other_places: Vec<ErrorPlace> = other_rules
        .flat_map(|finding| finding.error_places.clone())
        .collect();
    for finding in findings {
        if !finding.is_about_other_rule {
            finding
                .error_places
                .retain(|place| !other_places.contains(place));
        }
    }
}

/// Returns true if the earlier versions store an object in the same way as the later versions.
fn is_known_storage(earlier_judge: &Judge<'_>, object: &Value, stored: &[Value; 2]) -> bool {
    let [old, new] =
        [VersionSide::Old, VersionSide::New].map(|side| earlier_judge.create(side, object).stored);
    [old.as_ref(), new.as_ref()] == stored.each_ref().map(Some)
}

/// Returns true if both findings are about the same object.
fn is_about_same_object(finding: &Finding, other_finding: &Finding) -> bool {
    other_finding.pointer == finding.pointer && other_finding.object == finding.object
}

/// Returns the path of the first error, or the first lost field.
fn error_path(result: &StoredResult) -> String {
    let decisions = &result.decisions;
    let message = match (&decisions.server, &decisions.union) {
        (Decision::Rejected(messages), _) | (_, Decision::Rejected(messages)) => messages.first(),
        _ => result.lost_fields.first(),
    };
    let message = message.map_or("", |message| message.as_str());
    message
        .split_once(": ")
        .map_or(message, |(path, _)| path)
        .to_owned()
}
