//! The search for differences: both versions validate each object of a small world, and the
//! smallest object is reported for each difference.

use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use crate::bounds::{ALL_OBJECTS, REQUESTS};
use crate::judge::judge::{Answered, Judge};
use crate::judge::verdict::{Answer, Fate};
use crate::report::cause::{Cause, cause};
use crate::report::finding::{Code, Comparison, Finding, Request, Weight};
use crate::report::wording::{Wording, default_changed, rule_missing, wording};
use crate::version::declared::Declared;
use crate::version::place::Place;
use crate::version::version::{Root, Version};
use crate::world::frame::{Frame, Which, name_of};
use crate::world::options::Options;
use crate::world::value::Values;
use crate::world::world::{Pairing, World, pairings};

/// The relation between the two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The new version replaces the old one.
    Successor,
    /// Both versions are served: an object that is written through one version is read through the
    /// other.
    Served,
}

/// Compares two versions: the effect on objects and clients when the new version replaces the old
/// one. [`Options::compare`] also accepts values of members.
///
/// ```
/// use serde_json::json;
/// use union_compat::{Code, Version, compare};
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
/// let old = Version::of_schema("v1", &strategy(true))?;
/// let new = Version::of_schema("v2", &strategy(false))?;
///
/// let found = compare(&old, &new);
/// let [finding] = &*found.findings else { panic!("one finding") };
/// assert_eq!(finding.code, Code::MemberRequired);
/// assert_eq!(finding.object, json!({"type": "RollingUpdate"}));
/// # Ok::<(), union_compat::VersionError>(())
/// ```
#[must_use]
pub fn compare(old: &Version, new: &Version) -> Comparison {
    Options::new().compare(old, new)
}

impl Options<'_> {
    /// Compares two versions, as [`compare`] does, with the values of the options.
    #[must_use]
    pub fn compare(&self, old: &Version, new: &Version) -> Comparison {
        search([old, new], Relation::Successor, None, self.values)
    }
}

/// Compares two versions. `earlier` are the two versions in the CRD before the change; differences
/// between them are known.
pub(crate) fn search(
    versions: [&Version; 2],
    relation: Relation,
    earlier: Option<[&Version; 2]>,
    values: Values<'_>,
) -> Comparison {
    let [old, new] = versions;
    let mut comparison = Comparison::of(versions);
    for version in versions {
        for note in version.notes() {
            if !comparison.notes.contains(note) {
                comparison.notes.push(note.clone());
            }
        }
    }
    let mut paths: Vec<&SchemaPath> = old.places().iter().map(|place| &place.path).collect();
    let of_new = new.places().iter().map(|place| &place.path);
    let added: Vec<&SchemaPath> = of_new.filter(|path| !paths.contains(path)).collect();
    paths.extend(added);
    for path in paths {
        if comparison.objects >= ALL_OBJECTS {
            comparison.notes.push(format!(
                "{}: not compared, because the limit of {ALL_OBJECTS} objects is reached; compare it separately",
                name_of(path)
            ));
            continue;
        }
        compare_place(versions, relation, earlier, path, values, &mut comparison);
    }
    // A stable sort keeps the schema order.
    comparison.findings.sort_by_key(|finding| finding.weight);
    comparison.known.sort_by_key(|finding| finding.weight);
    comparison
}

/// Compares the objects at one path, or reports that one version does not have an object there.
fn compare_place(
    versions: [&Version; 2],
    relation: Relation,
    earlier: Option<[&Version; 2]>,
    path: &SchemaPath,
    values: Values<'_>,
    comparison: &mut Comparison,
) {
    let [old, new] = versions;
    let (Some(old_schema), Some(new_schema)) = (path.find(old.schema()), path.find(new.schema()))
    else {
        // An object that only the new version has is lost only if both versions are served.
        let lacks = if path.find(new.schema()).is_none() {
            Which::New
        } else {
            Which::Old
        };
        if lacks == Which::New || relation == Relation::Served {
            place_gone(versions, lacks, earlier, path, comparison);
        }
        return;
    };
    let schemas = [old_schema, new_schema];
    comparison.places += 1;
    let declared = |version: &'_ Version| -> Vec<Declared> {
        let place = version.place(path);
        place.map_or(Vec::new(), |place: &Place| place.declared.clone())
    };
    let (olds, news) = (declared(old), declared(new));
    let whole = Frame::whole(versions, path);
    let pairings = pairings(&olds, &news);
    for (number, pairing) in pairings.iter().enumerate() {
        let others: Vec<&Declared> = pairings
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number)
            .filter_map(|(_, other)| other.new.first().or(other.old.first()).copied())
            .collect();
        let world = pairing.world(whole.base(), &others, &schemas, values);
        let at = AtPlace {
            versions,
            relation,
            earlier,
            path,
            pairing,
            world: &world,
            schemas,
        };
        at.compare(&whole, comparison);
    }
}

/// Adds a finding for an object with a union that one version does not have: that version drops the
/// whole object.
fn place_gone(
    versions: [&Version; 2],
    lacks: Which,
    earlier: Option<[&Version; 2]>,
    path: &SchemaPath,
    comparison: &mut Comparison,
) {
    let has = lacks.other().of(versions);
    let described = |which: Which, versions: [&Version; 2]| {
        let schema = which.of(versions).schema();
        path.find(schema).is_some()
    };
    let is_known = earlier
        .is_some_and(|earlier| !described(lacks, earlier) && described(lacks.other(), earlier));
    let findings = if is_known {
        &mut comparison.known
    } else {
        &mut comparison.findings
    };
    // The finding of an outer object covers all objects inside it.
    let is_below =
        |other: &Finding| other.code == Code::PlaceRemoved && is_inside(path, &other.pointer);
    if findings.iter().any(is_below) || is_in_a_member(has, path) {
        return;
    }
    let frame = Frame::whole(versions, path);
    let judge = Judge {
        versions,
        path,
        frame: &frame,
        fields: &[],
    };
    let object = frame.base().clone();
    let [before, after] =
        [Which::Old, Which::New].map(|which| judge.create(which, &object).verdict);
    let pointer = path.to_string();
    let path = path.to_fields();
    let lost = Fate::Lost(vec![path.clone()]);
    let (stored, old_clients, new_clients) = match lacks {
        Which::New => (lost.clone(), lost, Fate::Accepted),
        Which::Old => (Fate::Impossible, lost.clone(), lost),
    };
    findings.push(Finding {
        code: Code::PlaceRemoved,
        weight: Weight::Breaking,
        pointer,
        what: format!(
            "{} has no union at `{path}`",
            lacks.of(versions).name()
        ),
        remedy: format!(
            "keep `{path}` in the schema until no object has it, because API servers drop fields that the schema does not have"
        ),
        about: vec![path.clone()],
        path,
        object,
        before,
        after,
        stored_as: None,
        request: None,
        stored,
        old_clients,
        new_clients,
    });
}

/// Returns true if a path is below the schema at a pointer.
fn is_inside(path: &SchemaPath, pointer: &str) -> bool {
    SchemaPath::read(pointer).is_some_and(|outer| *path != outer && path.starts_with(&outer))
}

/// Returns true if a path is inside a member of a union. A removed member is a finding of the
/// union.
fn is_in_a_member(version: &Version, path: &SchemaPath) -> bool {
    version.places().iter().any(|place| {
        let Some(rest) = path.below(&place.path) else {
            return false;
        };
        let mut members = place.declared.iter().flat_map(|union| &union.members);
        match rest.steps().next() {
            Some(SchemaStep::Property(first)) => members.any(|member| member.name == first),
            _ => false,
        }
    })
}

/// The unions of a place that share fields, in both versions.
struct AtPlace<'a> {
    versions: [&'a Version; 2],
    relation: Relation,
    earlier: Option<[&'a Version; 2]>,
    path: &'a SchemaPath,
    pairing: &'a Pairing<'a>,
    world: &'a World,
    schemas: [&'a Value; 2],
}

/// The differences at a place.
#[derive(Default)]
struct Differences {
    findings: Vec<Finding>,
    /// The differences that the earlier versions have too.
    known: Vec<Finding>,
}

impl Differences {
    fn of(&mut self, is_known: bool) -> &mut Vec<Finding> {
        if is_known {
            &mut self.known
        } else {
            &mut self.findings
        }
    }
}

/// An object, and its results in both versions.
struct Seen<'w> {
    object: &'w Value,
    before: Answered,
    after: Answered,
}

impl AtPlace<'_> {
    /// Adds the differences at the place to a comparison, and notes about objects that were left
    /// out.
    fn compare(&self, whole: &Frame, comparison: &mut Comparison) {
        comparison.notes.extend(self.notes());
        comparison.objects += self.world.objects.len();
        let found = self.search(whole).or_else(|| {
            let found = self.search(&Frame::alone(self.schemas)?)?;
            if !(self.versions[0].root() == Root::Part && self.path.is_root()) {
                comparison.notes.push(format!(
                    "{}: compared by its own schema only, because no whole object was found that both versions accept",
                    name_of(self.path)
                ));
            }
            Some(found)
        });
        match found {
            Some(found) => {
                comparison.findings.extend(found.findings);
                comparison.known.extend(found.known);
            }
            None => comparison.notes.push(format!(
                "{}: not compared, because no object was found that a version accepts; pass values of its members",
                name_of(self.path)
            )),
        }
    }

    fn notes(&self) -> Vec<String> {
        let place = name_of(self.path);
        let valueless = self.world.valueless.iter();
        let mut notes: Vec<String> = valueless
            .map(|member| {
                format!(
                    "{place}: `{member}` is never set, because no value was found that its schema accepts; pass a value"
                )
            })
            .collect();
        if !self.world.is_whole {
            notes.push(format!(
                "{place}: objects with many members set are left out; the smallest {} objects were compared",
                self.world.objects.len()
            ));
        }
        notes
    }

    /// Returns the differences; `None` if one of the versions accepts no object.
    fn search(&self, frame: &Frame) -> Option<Differences> {
        let judge = Judge {
            versions: self.versions,
            path: self.path,
            frame,
            fields: &self.world.fields,
        };
        let seen: Vec<Seen<'_>> = self
            .world
            .objects
            .iter()
            .map(|object| Seen {
                object,
                before: judge.create(Which::Old, object),
                after: judge.create(Which::New, object),
            })
            .collect();
        let is_accepted = |answered: &Answered| !answered.verdict.server.is_refused();
        if !seen.iter().any(|seen| is_accepted(&seen.before))
            || !seen.iter().any(|seen| is_accepted(&seen.after))
        {
            return None;
        }
        let before = self.earlier_frame(frame);
        let earlier = before.as_ref().map(|(versions, frame)| Judge {
            versions: *versions,
            frame,
            ..judge
        });
        let mut differences = Differences::default();
        // Removals first: additions often show the same difference.
        for taken in [Which::Old, Which::New] {
            for seen in &seen {
                let Some(words) = self.words(seen, taken) else {
                    continue;
                };
                let is_known = earlier
                    .as_ref()
                    .is_some_and(|earlier| differed(earlier, seen.object, taken));
                let findings = differences.of(is_known);
                let is_told =
                    |finding: &Finding| finding.code == words.code && finding.about == words.about;
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
        seen: &[Seen<'_>],
        differences: &mut Differences,
    ) {
        for seen in seen {
            let found = self
                .default_changed(judge, seen)
                .or_else(|| self.unreadable(judge, seen));
            let Some(found) = found else { continue };
            let is_known = found.stored_as.as_ref().is_some_and(|stored| {
                earlier.is_some_and(|earlier| stored_so(earlier, seen.object, stored))
            });
            let findings = differences.of(is_known);
            let is_told = |finding: &Finding| {
                finding.code == found.code && finding.about == found.about
                    || found.code == Code::Unreadable && is_of(&found, finding)
            };
            if !findings.iter().any(is_told) {
                findings.push(found);
            }
        }
    }

    /// Returns the earlier versions with a frame of the same sort as `frame`.
    fn earlier_frame(&self, frame: &Frame) -> Option<([&Version; 2], Frame)> {
        let earlier = self.earlier?;
        let [old, new] = earlier.map(|version| self.path.find(version.schema()));
        let schemas = [old?, new?];
        let frame = if frame.is_alone() {
            Frame::alone(schemas)?
        } else {
            Frame::whole(earlier, self.path)
        };
        Some((earlier, frame))
    }

    /// Returns the wording for an object that `taken` stores in full, and that the other version
    /// rejects or stores without a field.
    fn words(&self, seen: &Seen<'_>, taken: Which) -> Option<Wording> {
        let (own, other) = match taken {
            Which::Old => (&seen.before, &seen.after),
            Which::New => (&seen.after, &seen.before),
        };
        if !own.is_kept() || other.is_kept() {
            return None;
        }
        let [old, new] = self.schemas;
        let (from, to, schemas) = match taken {
            Which::Old => (&self.pairing.old, &self.pairing.new, [old, new]),
            Which::New => (&self.pairing.new, &self.pairing.old, [new, old]),
        };
        let found = cause(seen.object, from, to, schemas, &place_of(other));
        // The union is the same and accepts the object, so another rule rejects it.
        let is_rule =
            matches!(other.verdict.union, Answer::Accepted) && self.means_the_same(&found);
        let found = if is_rule {
            Cause::Rule(place_of(other))
        } else {
            found
        };
        if self.relation == Relation::Served && found.is_of_rules() {
            let [old, new] = self.versions.map(Version::name);
            let (lacks, has) = match taken {
                Which::Old => (old, new),
                Which::New => (new, old),
            };
            return Some(rule_missing(lacks, has));
        }
        Some(wording(&found, taken))
    }

    /// Returns true if both versions have the same union, so that the difference is in another
    /// rule.
    fn means_the_same(&self, found: &Cause) -> bool {
        !matches!(found, Cause::OtherDefault(_)) && self.pairing.old == self.pairing.new
    }

    fn finding(&self, judge: &Judge<'_>, seen: &Seen<'_>, taken: Which, words: Wording) -> Finding {
        let object = seen.object;
        let [before, after] = [&seen.before, &seen.after].map(|answered| answered.verdict.clone());
        let stored = match taken {
            Which::Old => judge.edit_elsewhere(Which::New, object).fate(),
            Which::New => Fate::Impossible,
        };
        let old_clients = match taken {
            Which::Old => seen.after.fate(),
            Which::New => judge.write_back(Which::Old, Which::New, object),
        };
        let new_clients = match taken {
            Which::Old => judge.write_back(Which::New, Which::New, object),
            Which::New => seen.before.fate(),
        };
        let request = match taken {
            Which::Old if !stored.is_bad() => self.request(judge, object),
            _ => None,
        };
        let is_breaking = match taken {
            Which::Old => true,
            Which::New => {
                self.relation == Relation::Served || matches!(old_clients, Fate::Unreadable(_))
            }
        };
        Finding {
            code: words.code,
            weight: weight(is_breaking),
            pointer: self.path.to_string(),
            path: self.path.to_fields(),
            about: words.about,
            what: words.what,
            object: object.clone(),
            before,
            after,
            stored_as: None,
            request,
            stored,
            old_clients,
            new_clients,
            remedy: words.remedy,
        }
    }

    /// Returns an update of the stored object that the new version rejects: first with another
    /// value of a set member, then to another object.
    fn request(&self, judge: &Judge<'_>, object: &Value) -> Option<Request> {
        let edited = self.world.seconds.iter().filter_map(|(name, second)| {
            let mut edited = object.as_object()?.clone();
            let value = edited.get_mut(name)?;
            *value = second.clone();
            Some(Value::Object(edited))
        });
        // For objects without a set member: updates to the other objects of the world.
        let others = self
            .world
            .objects
            .iter()
            .filter(|other| *other != object)
            .cloned();
        edited.chain(others).take(REQUESTS).find_map(|new| {
            let before = judge.replace(Which::Old, object, &new);
            let after = judge.replace(Which::New, object, &new);
            (before.is_kept() && after.verdict.is_refused()).then(|| Request {
                old: object.clone(),
                new,
                before: before.verdict,
                after: after.verdict,
            })
        })
    }

    /// Returns a finding if both versions accept an object and store different values of the
    /// discriminator.
    fn default_changed(&self, judge: &Judge<'_>, seen: &Seen<'_>) -> Option<Finding> {
        if !seen.before.is_kept() || !seen.after.is_kept() {
            return None;
        }
        let [old, new] = [&seen.before, &seen.after].map(|answered| answered.stored.as_ref());
        let (old, new) = (old?, new?);
        let says = |unions: &[&Declared], object: &Value, name: &str| {
            let union = unions.iter().find(|union| {
                union
                    .discriminator
                    .as_ref()
                    .is_some_and(|own| own.name == name)
            })?;
            Some(union.value_in(object).map(str::to_owned))
        };
        let discriminators = self
            .pairing
            .old
            .iter()
            .filter_map(|union| union.discriminator.as_ref());
        let changed = discriminators.into_iter().find(|discriminator| {
            let name = &discriminator.name;
            let was = says(&self.pairing.old, old, name);
            let is = says(&self.pairing.new, new, name);
            is.is_some() && was != is
        })?;
        let words = default_changed(&changed.name);
        let mut finding = self.finding(judge, seen, Which::Old, words);
        finding.stored_as = Some([old.clone(), new.clone()]);
        Some(finding)
    }

    /// Returns a finding if both versions accept an object that the type of a client cannot read.
    fn unreadable(&self, judge: &Judge<'_>, seen: &Seen<'_>) -> Option<Finding> {
        let (client, stored) = [(Which::Old, &seen.after), (Which::New, &seen.before)]
            .into_iter()
            .find_map(|(client, answered)| {
                let stored = answered.stored.as_ref().filter(|_| answered.is_kept())?;
                let is_own = match client {
                    Which::Old => seen.before.is_kept(),
                    Which::New => true,
                };
                let fails = is_own && judge.read(client, stored).is_err();
                // An object that the version's own type cannot read does not show a change.
                let own = client.other();
                (fails && judge.read(own, stored).is_ok()).then_some((client, stored))
            })?;
        let why = judge.read(client, stored).err()?;
        let who = match client {
            Which::Old => "old",
            Which::New => "new",
        };
        let words = Wording {
            code: Code::Unreadable,
            about: vec![who.to_owned(), why],
            what: format!(
                "the {who} type cannot deserialize an object that the other version stores"
            ),
            remedy:
                "add an `other` variant to the enum, and make fields that may be absent optional"
                    .to_owned(),
        };
        Some(self.finding(judge, seen, Which::Old, words))
    }
}

/// Returns true if the earlier versions disagree about an object as the later ones do: `taken`
/// accepts it, and the other rejects it or loses more of it.
fn differed(earlier: &Judge<'_>, object: &Value, taken: Which) -> bool {
    let own = earlier.create(taken, object);
    let other = earlier.create(taken.other(), object);
    let loses_more = || other.lost.iter().any(|field| !own.lost.contains(field));
    !own.verdict.is_refused() && (other.verdict.is_refused() || loses_more())
}

/// Returns true if the earlier versions store an object as the later ones do.
fn stored_so(earlier: &Judge<'_>, object: &Value, stored: &[Value; 2]) -> bool {
    let [old, new] = [Which::Old, Which::New].map(|which| earlier.create(which, object).stored);
    [old.as_ref(), new.as_ref()] == stored.each_ref().map(Some)
}

/// Returns true if two findings are about the same object.
fn is_of(found: &Finding, other: &Finding) -> bool {
    other.pointer == found.pointer && other.object == found.object
}

const fn weight(is_breaking: bool) -> Weight {
    if is_breaking {
        Weight::Breaking
    } else {
        Weight::Notice
    }
}

/// Returns the path of the first error, or the first lost field.
fn place_of(answered: &Answered) -> String {
    let verdict = &answered.verdict;
    let text = match (&verdict.server, &verdict.union) {
        (Answer::Refused(texts), _) | (_, Answer::Refused(texts)) => texts.first(),
        _ => answered.lost.first(),
    };
    let text = text.map_or("", |text| text.as_str());
    text.split_once(": ")
        .map_or(text, |(place, _)| place)
        .to_owned()
}
