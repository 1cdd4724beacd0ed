//! The search for differences: both versions validate each object of a small world, and the
//! smallest object is reported for each difference.

use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use crate::bounds::{ALL_OBJECTS, UPDATE_TRIES};
use crate::judge::decision::{Decision, RequestOutcome};
use crate::judge::judge::{Judge, StoredResult};
use crate::report::cause::{Cause, find_cause};
use crate::report::finding::{ChangeCode, CompatReport, Finding, Severity, UpdateExample};
use crate::report::wording::{Wording, default_changed, rule_missing, wording};
use crate::version::compared_union::ComparedUnion;
use crate::version::union_object::UnionObject;
use crate::version::version::{ApiVersion, Root};
use crate::world::enclosing_object::{EnclosingObject, VersionSide, place_name};
use crate::world::object_space::{MatchedUnions, ObjectSpace, match_unions};
use crate::world::options::Options;
use crate::world::value::ValueSource;

/// The relation between the two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The new version replaces the old one.
    Upgrade,
    /// Both versions are served: an object that is written through one version is read through the
    /// other.
    ServedTogether,
}

/// Compares two versions: the effect on objects and clients when the new version replaces the old
/// one. [`Options::compare`] also accepts values of members.
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
    /// Compares two versions, as [`compare`] does, with the values of the options.
    #[must_use]
    pub fn compare(&self, old: &ApiVersion, new: &ApiVersion) -> CompatReport {
        search([old, new], Relation::Upgrade, None, self.values)
    }
}

/// Compares two versions. `earlier` are the two versions in the CRD before the change; differences
/// between them are known.
pub(crate) fn search(
    versions: [&ApiVersion; 2],
    relation: Relation,
    earlier: Option<[&ApiVersion; 2]>,
    values: ValueSource<'_>,
) -> CompatReport {
    let [old, new] = versions;
    let mut comparison = CompatReport::new(versions);
    for version in versions {
        for note in version.notes() {
            if !comparison.notes.contains(note) {
                comparison.notes.push(note.clone());
            }
        }
    }
    let mut paths: Vec<&SchemaPath> = old
        .union_objects()
        .iter()
        .map(|place| &place.path)
        .collect();
    let of_new = new.union_objects().iter().map(|place| &place.path);
    let added: Vec<&SchemaPath> = of_new.filter(|path| !paths.contains(path)).collect();
    paths.extend(added);
    for path in paths {
        if comparison.objects >= ALL_OBJECTS {
            comparison.notes.push(format!(
                "{}: not compared, because the limit of {ALL_OBJECTS} objects is reached; compare it separately",
                place_name(path)
            ));
            continue;
        }
        compare_objects_at(versions, relation, earlier, path, values, &mut comparison);
    }
    // A stable sort keeps the schema order.
    comparison.findings.sort_by_key(|finding| finding.severity);
    comparison
        .known_findings
        .sort_by_key(|finding| finding.severity);
    comparison
}

/// Compares the objects at one path, or reports that one version does not have an object there.
fn compare_objects_at(
    versions: [&ApiVersion; 2],
    relation: Relation,
    earlier: Option<[&ApiVersion; 2]>,
    path: &SchemaPath,
    values: ValueSource<'_>,
    comparison: &mut CompatReport,
) {
    let [old, new] = versions;
    let (Some(old_schema), Some(new_schema)) = (path.find(old.schema()), path.find(new.schema()))
    else {
        // An object that only the new version has is lost only if both versions are served.
        let lacks = if path.find(new.schema()).is_none() {
            VersionSide::New
        } else {
            VersionSide::Old
        };
        if lacks == VersionSide::New || relation == Relation::ServedTogether {
            report_removed_object(versions, lacks, earlier, path, comparison);
        }
        return;
    };
    let schemas = [old_schema, new_schema];
    comparison.union_objects += 1;
    let declared = |version: &'_ ApiVersion| -> Vec<ComparedUnion> {
        let place = version.union_object(path);
        place.map_or(Vec::new(), |place: &UnionObject| place.unions.clone())
    };
    let (olds, news) = (declared(old), declared(new));
    let whole = EnclosingObject::around_place(versions, path);
    let pairings = match_unions(&olds, &news);
    for (number, pairing) in pairings.iter().enumerate() {
        let others: Vec<&ComparedUnion> = pairings
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number)
            .filter_map(|(_, other)| other.new.first().or(other.old.first()).copied())
            .collect();
        let world = pairing.object_space(whole.base_object(), &others, &schemas, values);
        let at = Search {
            versions,
            relation,
            earlier,
            path,
            unions: pairing,
            space: &world,
            schemas,
        };
        at.compare(&whole, comparison);
    }
}

/// Adds a finding for an object with a union that one version does not have: that version drops the
/// whole object.
fn report_removed_object(
    versions: [&ApiVersion; 2],
    lacks: VersionSide,
    earlier: Option<[&ApiVersion; 2]>,
    path: &SchemaPath,
    comparison: &mut CompatReport,
) {
    let has = lacks.other().select(versions);
    let described = |which: VersionSide, versions: [&ApiVersion; 2]| {
        let schema = which.select(versions).schema();
        path.find(schema).is_some()
    };
    let is_known = earlier
        .is_some_and(|earlier| !described(lacks, earlier) && described(lacks.other(), earlier));
    let findings = if is_known {
        &mut comparison.known_findings
    } else {
        &mut comparison.findings
    };
    // The finding of an outer object covers all objects inside it.
    let is_below = |other: &Finding| {
        other.code == ChangeCode::ObjectRemoved && is_inside(path, &other.pointer)
    };
    if findings.iter().any(is_below) || is_inside_member(has, path) {
        return;
    }
    let frame = EnclosingObject::around_place(versions, path);
    let judge = Judge {
        versions,
        path,
        enclosing: &frame,
        fields: &[],
    };
    let object = frame.base_object().clone();
    let [before, after] =
        [VersionSide::Old, VersionSide::New].map(|which| judge.create(which, &object).decisions);
    let pointer = path.to_string();
    let path = path.to_field_notation();
    let lost = RequestOutcome::FieldsLost(vec![path.clone()]);
    let (stored, old_clients, new_clients) = match lacks {
        VersionSide::New => (lost.clone(), lost, RequestOutcome::Accepted),
        VersionSide::Old => (RequestOutcome::Impossible, lost.clone(), lost),
    };
    findings.push(Finding {
        code: ChangeCode::ObjectRemoved,
        severity: Severity::Breaking,
        pointer,
        description: format!(
            "{} has no union at `{path}`",
            lacks.select(versions).name()
        ),
        remedy: format!(
            "keep `{path}` in the schema until no object has it, because API servers drop fields that the schema does not have"
        ),
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
    });
}

/// Returns true if a path is below the schema at a pointer.
fn is_inside(path: &SchemaPath, pointer: &str) -> bool {
    SchemaPath::from_pointer(pointer)
        .is_some_and(|outer| *path != outer && path.starts_with(&outer))
}

/// Returns true if a path is inside a member of a union. A removed member is a finding of the
/// union.
fn is_inside_member(version: &ApiVersion, path: &SchemaPath) -> bool {
    version.union_objects().iter().any(|place| {
        let Some(rest) = path.strip_prefix(&place.path) else {
            return false;
        };
        let mut members = place.unions.iter().flat_map(|union| &union.members);
        match rest.steps().next() {
            Some(SchemaStep::Property(first)) => members.any(|member| member.name == first),
            _ => false,
        }
    })
}

/// The unions of a place that share fields, in both versions.
struct Search<'a> {
    versions: [&'a ApiVersion; 2],
    relation: Relation,
    earlier: Option<[&'a ApiVersion; 2]>,
    path: &'a SchemaPath,
    unions: &'a MatchedUnions<'a>,
    space: &'a ObjectSpace,
    schemas: [&'a Value; 2],
}

/// The differences at a place.
#[derive(Default)]
struct Differences {
    findings: Vec<Finding>,
    /// The differences that the earlier versions have too.
    known_findings: Vec<Finding>,
}

impl Differences {
    fn of(&mut self, is_known: bool) -> &mut Vec<Finding> {
        if is_known {
            &mut self.known_findings
        } else {
            &mut self.findings
        }
    }
}

/// An object, and its results in both versions.
struct JudgedObject<'w> {
    object: &'w Value,
    before: StoredResult,
    after: StoredResult,
}

impl Search<'_> {
    /// Adds the differences at the place to a comparison, and notes about objects that were left
    /// out.
    fn compare(&self, whole: &EnclosingObject, comparison: &mut CompatReport) {
        comparison.notes.extend(self.notes());
        comparison.objects += self.space.objects.len();
        let found = self.search(whole).or_else(|| {
            let found = self.search(&EnclosingObject::place_only(self.schemas)?)?;
            if !(self.versions[0].root() == Root::Embedded && self.path.is_root()) {
                comparison.notes.push(format!(
                    "{}: compared by its own schema only, because no whole object was found that both versions accept",
                    place_name(self.path)
                ));
            }
            Some(found)
        });
        match found {
            Some(found) => {
                comparison.findings.extend(found.findings);
                comparison.known_findings.extend(found.known_findings);
            }
            None => comparison.notes.push(format!(
                "{}: not compared, because no object was found that a version accepts; pass values of its members",
                place_name(self.path)
            )),
        }
    }

    fn notes(&self) -> Vec<String> {
        let place = place_name(self.path);
        let valueless = self.space.members_without_value.iter();
        let mut notes: Vec<String> = valueless
            .map(|member| {
                format!(
                    "{place}: `{member}` is never set, because no value was found that its schema accepts; pass a value"
                )
            })
            .collect();
        if !self.space.is_complete {
            notes.push(format!(
                "{place}: objects with many members set are left out; the smallest {} objects were compared",
                self.space.objects.len()
            ));
        }
        notes
    }

    /// Returns the differences; `None` if one of the versions accepts no object.
    fn search(&self, frame: &EnclosingObject) -> Option<Differences> {
        let judge = Judge {
            versions: self.versions,
            path: self.path,
            enclosing: frame,
            fields: &self.space.fields,
        };
        let seen: Vec<JudgedObject<'_>> = self
            .space
            .objects
            .iter()
            .map(|object| JudgedObject {
                object,
                before: judge.create(VersionSide::Old, object),
                after: judge.create(VersionSide::New, object),
            })
            .collect();
        let is_accepted = |answered: &StoredResult| !answered.decisions.server.is_refused();
        if !seen.iter().any(|seen| is_accepted(&seen.before))
            || !seen.iter().any(|seen| is_accepted(&seen.after))
        {
            return None;
        }
        let before = self.earlier_frame(frame);
        let earlier = before.as_ref().map(|(versions, frame)| Judge {
            versions: *versions,
            enclosing: frame,
            ..judge
        });
        let mut differences = Differences::default();
        // Removals first: additions often show the same difference.
        for taken in [VersionSide::Old, VersionSide::New] {
            for seen in &seen {
                let Some(words) = self.words(seen, taken) else {
                    continue;
                };
                let is_known = earlier
                    .as_ref()
                    .is_some_and(|earlier| is_known_rejection(earlier, seen.object, taken));
                let findings = differences.of(is_known);
                let is_told = |finding: &Finding| {
                    finding.code == words.code && finding.subjects == words.subjects
                };
                if !findings.iter().any(is_told) {
                    findings.push(self.finding(&judge, seen, taken, words));
                }
            }
        }
        self.search_accepted(&judge, earlier.as_ref(), &seen, &mut differences);
        Some(differences)
    }

    /// Adds the differences about objects that both versions accept.
    fn search_accepted(
        &self,
        judge: &Judge<'_>,
        earlier: Option<&Judge<'_>>,
        seen: &[JudgedObject<'_>],
        differences: &mut Differences,
    ) {
        for seen in seen {
            let found = self
                .default_changed(judge, seen)
                .or_else(|| self.unreadable(judge, seen));
            let Some(found) = found else { continue };
            let is_known = found.stored_as.as_ref().is_some_and(|stored| {
                earlier.is_some_and(|earlier| is_known_storage(earlier, seen.object, stored))
            });
            let findings = differences.of(is_known);
            let is_told = |finding: &Finding| {
                finding.code == found.code && finding.subjects == found.subjects
                    || found.code == ChangeCode::Unreadable && is_about_same_object(&found, finding)
            };
            if !findings.iter().any(is_told) {
                findings.push(found);
            }
        }
    }

    /// Returns the earlier versions with a frame of the same sort as `frame`.
    fn earlier_frame(
        &self,
        frame: &EnclosingObject,
    ) -> Option<([&ApiVersion; 2], EnclosingObject)> {
        let earlier = self.earlier?;
        let [old, new] = earlier.map(|version| self.path.find(version.schema()));
        let schemas = [old?, new?];
        let frame = if frame.is_place_only() {
            EnclosingObject::place_only(schemas)?
        } else {
            EnclosingObject::around_place(earlier, self.path)
        };
        Some((earlier, frame))
    }

    /// Returns the wording for an object that `taken` stores in full, and that the other version
    /// rejects or stores without a field.
    fn words(&self, seen: &JudgedObject<'_>, taken: VersionSide) -> Option<Wording> {
        let (own, other) = match taken {
            VersionSide::Old => (&seen.before, &seen.after),
            VersionSide::New => (&seen.after, &seen.before),
        };
        if !own.is_stored_in_full() || other.is_stored_in_full() {
            return None;
        }
        let [old, new] = self.schemas;
        let (from, to, schemas) = match taken {
            VersionSide::Old => (&self.unions.old, &self.unions.new, [old, new]),
            VersionSide::New => (&self.unions.new, &self.unions.old, [new, old]),
        };
        let found = find_cause(seen.object, from, to, schemas, &error_path(other));
        // The union is the same and accepts the object, so another rule rejects it.
        let is_rule =
            matches!(other.decisions.union, Decision::Accepted) && self.has_same_unions(&found);
        let found = if is_rule {
            Cause::Rule(error_path(other))
        } else {
            found
        };
        if self.relation == Relation::ServedTogether && found.is_rule_difference() {
            let [old, new] = self.versions.map(ApiVersion::name);
            let (lacks, has) = match taken {
                VersionSide::Old => (old, new),
                VersionSide::New => (new, old),
            };
            return Some(rule_missing(lacks, has));
        }
        Some(wording(&found, taken))
    }

    /// Returns true if both versions have the same union, so that the difference is in another
    /// rule.
    fn has_same_unions(&self, found: &Cause) -> bool {
        !matches!(found, Cause::DefaultChanged(_)) && self.unions.old == self.unions.new
    }

    fn finding(
        &self,
        judge: &Judge<'_>,
        seen: &JudgedObject<'_>,
        taken: VersionSide,
        words: Wording,
    ) -> Finding {
        let object = seen.object;
        let [before, after] =
            [&seen.before, &seen.after].map(|answered| answered.decisions.clone());
        let stored = match taken {
            VersionSide::Old => judge.edit_elsewhere(VersionSide::New, object).outcome(),
            VersionSide::New => RequestOutcome::Impossible,
        };
        let old_clients = match taken {
            VersionSide::Old => seen.after.outcome(),
            VersionSide::New => judge.write_back(VersionSide::Old, VersionSide::New, object),
        };
        let new_clients = match taken {
            VersionSide::Old => judge.write_back(VersionSide::New, VersionSide::New, object),
            VersionSide::New => seen.before.outcome(),
        };
        let request = match taken {
            VersionSide::Old if !stored.is_failure() => self.request(judge, object),
            _ => None,
        };
        let is_breaking = match taken {
            VersionSide::Old => true,
            VersionSide::New => {
                self.relation == Relation::ServedTogether
                    || matches!(old_clients, RequestOutcome::Unreadable(_))
            }
        };
        Finding {
            code: words.code,
            severity: weight(is_breaking),
            pointer: self.path.to_string(),
            path: self.path.to_field_notation(),
            subjects: words.subjects,
            description: words.description,
            object: object.clone(),
            before,
            after,
            stored_as: None,
            update_example: request,
            stored_objects: stored,
            old_clients,
            new_clients,
            remedy: words.remedy,
        }
    }

    /// Returns an update of the stored object that the new version rejects: first with another
    /// value of a set member, then to another object.
    fn request(&self, judge: &Judge<'_>, object: &Value) -> Option<UpdateExample> {
        let edited = self
            .space
            .alternate_values
            .iter()
            .filter_map(|(name, second)| {
                let mut edited = object.as_object()?.clone();
                let value = edited.get_mut(name)?;
                *value = second.clone();
                Some(Value::Object(edited))
            });
        // For objects without a set member: updates to the other objects of the world.
        let others = self
            .space
            .objects
            .iter()
            .filter(|other| *other != object)
            .cloned();
        edited.chain(others).take(UPDATE_TRIES).find_map(|new| {
            let before = judge.replace(VersionSide::Old, object, &new);
            let after = judge.replace(VersionSide::New, object, &new);
            (before.is_stored_in_full() && after.decisions.is_refused()).then(|| UpdateExample {
                old: object.clone(),
                new,
                before: before.decisions,
                after: after.decisions,
            })
        })
    }

    /// Returns a finding if both versions accept an object and store different values of the
    /// discriminator.
    fn default_changed(&self, judge: &Judge<'_>, seen: &JudgedObject<'_>) -> Option<Finding> {
        if !seen.before.is_stored_in_full() || !seen.after.is_stored_in_full() {
            return None;
        }
        let [old, new] = [&seen.before, &seen.after].map(|answered| answered.stored.as_ref());
        let (old, new) = (old?, new?);
        let says = |unions: &[&ComparedUnion], object: &Value, name: &str| {
            let union = unions.iter().find(|union| {
                union
                    .discriminator
                    .as_ref()
                    .is_some_and(|own| own.name == name)
            })?;
            Some(union.discriminator_value(object).map(str::to_owned))
        };
        let discriminators = self
            .unions
            .old
            .iter()
            .filter_map(|union| union.discriminator.as_ref());
        let changed = discriminators.into_iter().find(|discriminator| {
            let name = &discriminator.name;
            let was = says(&self.unions.old, old, name);
            let is = says(&self.unions.new, new, name);
            is.is_some() && was != is
        })?;
        let words = default_changed(&changed.name);
        let mut finding = self.finding(judge, seen, VersionSide::Old, words);
        finding.stored_as = Some([old.clone(), new.clone()]);
        Some(finding)
    }

    /// Returns a finding if both versions accept an object that the type of a client cannot read.
    fn unreadable(&self, judge: &Judge<'_>, seen: &JudgedObject<'_>) -> Option<Finding> {
        let (client, stored) = [
            (VersionSide::Old, &seen.after),
            (VersionSide::New, &seen.before),
        ]
        .into_iter()
        .find_map(|(client, answered)| {
            let stored = answered
                .stored
                .as_ref()
                .filter(|_| answered.is_stored_in_full())?;
            let is_own = match client {
                VersionSide::Old => seen.before.is_stored_in_full(),
                VersionSide::New => true,
            };
            let fails = is_own && judge.read_as_client(client, stored).is_err();
            // An object that the version's own type cannot read does not show a change.
            let own = client.other();
            (fails && judge.read_as_client(own, stored).is_ok()).then_some((client, stored))
        })?;
        let why = judge.read_as_client(client, stored).err()?;
        let who = match client {
            VersionSide::Old => "old",
            VersionSide::New => "new",
        };
        let words = Wording {
            code: ChangeCode::Unreadable,
            subjects: vec![who.to_owned(), why],
            description: format!(
                "the {who} type cannot deserialize an object that the other version stores"
            ),
            remedy:
                "add an `other` variant to the enum, and make fields that may be absent optional"
                    .to_owned(),
        };
        Some(self.finding(judge, seen, VersionSide::Old, words))
    }
}

/// Returns true if the earlier versions disagree about an object as the later ones do: `taken`
/// accepts it, and the other rejects it or loses more of it.
fn is_known_rejection(earlier: &Judge<'_>, object: &Value, taken: VersionSide) -> bool {
    let own = earlier.create(taken, object);
    let other = earlier.create(taken.other(), object);
    let loses_more = || other.lost.iter().any(|field| !own.lost.contains(field));
    !own.decisions.is_refused() && (other.decisions.is_refused() || loses_more())
}

/// Returns true if the earlier versions store an object as the later ones do.
fn is_known_storage(earlier: &Judge<'_>, object: &Value, stored: &[Value; 2]) -> bool {
    let [old, new] =
        [VersionSide::Old, VersionSide::New].map(|which| earlier.create(which, object).stored);
    [old.as_ref(), new.as_ref()] == stored.each_ref().map(Some)
}

/// Returns true if two findings are about the same object.
fn is_about_same_object(found: &Finding, other: &Finding) -> bool {
    other.pointer == found.pointer && other.object == found.object
}

const fn weight(is_breaking: bool) -> Severity {
    if is_breaking {
        Severity::Breaking
    } else {
        Severity::Notice
    }
}

/// Returns the path of the first error, or the first lost field.
fn error_path(answered: &StoredResult) -> String {
    let verdict = &answered.decisions;
    let text = match (&verdict.server, &verdict.union) {
        (Decision::Refused(texts), _) | (_, Decision::Refused(texts)) => texts.first(),
        _ => answered.lost.first(),
    };
    let text = text.map_or("", |text| text.as_str());
    text.split_once(": ")
        .map_or(text, |(place, _)| place)
        .to_owned()
}
