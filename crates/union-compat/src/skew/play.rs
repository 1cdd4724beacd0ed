//! The simulation of every request between two versions: the object that a client reads, the
//! request that it sends, and the object that the server stores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_json::document::SchemaPath;
use union_runtime::Settings;
use union_runtime::spec::UnionType;

use super::api::{Api, unions_of, whole};
use super::error::SkewError;
use super::matrix::{Cell, Outcome, Row, Side, Skew};
use super::request::{ClientKind, Intent, Merged, Request, Verb, Verdict};
use crate::version::version::{BESIDE, PART, Version};
use crate::world::frame::settle;
use crate::world::options::Options;
use crate::world::value::{Accepting, Values, pair};
use crate::world::world::pairings;

/// Returns the outcome of every request between clients and servers of two versions of a type:
/// honoured, refused or lost. Servers normalize and validate unions by the default [`Settings`],
/// and drop fields that they do not know.
///
/// ```
/// use union_compat::skew::{Verdict, skew};
/// use union_runtime::{RawUnion, UnionEnum};
///
/// mod old {
///     #[derive(union_runtime::UnionEnum)]
///     #[union(discriminator = "type")]
///     pub enum Target {
///         S3(String),
///         Volume(String),
///         #[union(other)]
///         Other(union_runtime::RawUnion),
///     }
/// }
///
/// #[derive(UnionEnum)]
/// #[union(discriminator = "type")]
/// enum Target {
///     S3(String),
///     Volume(String),
///     Tape(u32),
///     #[union(other)]
///     Other(RawUnion),
/// }
///
/// let skew = skew::<old::Target, Target>()?;
/// assert_eq!(skew.count(Verdict::Lost), 0);
/// println!("{skew}");
/// # Ok::<(), union_compat::skew::SkewError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the types do not have a common union, if no value of a member was found, or
/// in the cases of [`Version::of`].
///
/// # Panics
///
/// Panics in the cases of [`Version::of`].
pub fn skew<Old, New>() -> Result<Skew, SkewError>
where
    Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
    New: UnionType + JsonSchema + Serialize + DeserializeOwned,
{
    Options::new().skew::<Old, New>()
}

impl Options<'_> {
    /// Returns the table of all requests, as [`skew`] does, with the settings and the values of the
    /// options.
    ///
    /// # Errors
    ///
    /// Returns an error in the cases of [`skew`].
    ///
    /// # Panics
    ///
    /// Panics in the cases of [`skew`].
    pub fn skew<Old, New>(&self) -> Result<Skew, SkewError>
    where
        Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
        New: UnionType + JsonSchema + Serialize + DeserializeOwned,
    {
        play::<Old, New>(*self)
    }
}

fn play<Old, New>(options: Options<'_>) -> Result<Skew, SkewError>
where
    Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
    New: UnionType + JsonSchema + Serialize + DeserializeOwned,
{
    let (old, new) = (Version::of::<Old>()?, Version::of::<New>()?);
    let (olds, news) = (unions_of::<Old>(&old), unions_of::<New>(&new));
    let [declared_old, declared_new] = [&olds, &news].map(|unions| {
        unions
            .iter()
            .map(|(_, declared)| declared.clone())
            .collect::<Vec<_>>()
    });
    let pairings = pairings(&declared_old, &declared_new);
    let both = pairings
        .iter()
        .filter_map(|pairing| Some((*pairing.old.first()?, *pairing.new.first()?)));
    // The first pair of unions that differ, or else the first pair.
    let both: Vec<_> = both.collect();
    let chosen = both.iter().find(|(old, new)| old != new).or(both.first());
    let Some((was, is)) = chosen else {
        return Err(SkewError::NoCommonUnion {
            old: old.name().to_owned(),
            new: new.name().to_owned(),
        });
    };
    let no_union = |version: &str| SkewError::NoUnion {
        version: version.to_owned(),
    };
    let find = |unions: Vec<_>, wanted: &_, name: &str| {
        let mut unions = unions.into_iter();
        unions
            .find(|(_, declared)| declared == wanted)
            .ok_or_else(|| no_union(name))
    };
    let (of_old, of_new) = (find(olds, *was, old.name())?, find(news, *is, new.name())?);
    let world = World {
        old: Api::new::<Old>(old, of_old).map_err(SkewError::Schema)?,
        new: Api::new::<New>(new, of_new).map_err(SkewError::Schema)?,
        values: BTreeMap::new(),
        rest: Map::new(),
        settings: options.settings,
    };
    Ok(world.with_values(options.values)?.play())
}

/// The maximum number of members that clients set and switch to.
const MOST_MEMBERS: usize = 8;

/// Both versions, and the values of members.
struct World {
    old: Api,
    new: Api,
    /// The values of each member: one or two.
    values: BTreeMap<String, Vec<Value>>,
    /// The other fields that the types require.
    rest: Map<String, Value>,
    settings: Settings,
}

impl World {
    const fn api(&self, side: Side) -> &Api {
        match side {
            Side::Old => &self.old,
            Side::New => &self.new,
        }
    }

    /// Returns the members of both versions, in order, first the members of the old version.
    fn members(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for member in [&self.old, &self.new]
            .iter()
            .flat_map(|api| &api.declared.members)
        {
            if !names.contains(&member.name) {
                names.push(member.name.clone());
            }
        }
        names
    }

    fn with_values(mut self, given: Values<'_>) -> Result<Self, SkewError> {
        let schemas = [
            self.old.version.schema().clone(),
            self.new.version.schema().clone(),
        ];
        for schema in &schemas {
            if let Value::Object(small) = crd_unions::small_value(schema) {
                for (name, value) in small {
                    self.rest.entry(name).or_insert(value);
                }
            }
        }
        let fields: Vec<String> = [&self.old, &self.new]
            .iter()
            .flat_map(|api| api.declared.fields().map(str::to_owned))
            .collect();
        self.rest.retain(|name, _| !fields.contains(name));
        let all: Vec<&Value> = schemas.iter().collect();
        for version in [&self.old.version, &self.new.version] {
            let unions = version
                .place(&SchemaPath::root())
                .into_iter()
                .flat_map(|place| &place.declared);
            for union in unions.filter(|union| {
                union
                    .fields()
                    .all(|name| !fields.iter().any(|own| own == name))
            }) {
                settle(&mut self.rest, union, &all, None);
            }
        }
        for name in self.members() {
            let of_member: Vec<&Value> = schemas
                .iter()
                .filter_map(|schema| schema.get("properties")?.get(&name))
                .collect();
            let accepting = Accepting::of(of_member.iter().copied());
            let mut why = "its schema accepts no generated value".to_owned();
            let mut fine: Vec<Value> = Vec::new();
            let given = (0..2).map_while(|number| given(&name, number));
            for value in given.chain(pair(&of_member)) {
                if fine.contains(&value) || !accepting.accept(&value) || fine.len() == 2 {
                    continue;
                }
                match self.is_read(&name, &value) {
                    Ok(()) => fine.push(value),
                    Err(said) => why = said,
                }
            }
            if fine.is_empty() {
                return Err(SkewError::NoValue { member: name, why });
            }
            self.values.insert(name, fine);
        }
        Ok(self)
    }

    /// Returns an error if a type that has the member cannot read an object with a value of it.
    fn is_read(&self, member: &str, value: &Value) -> Result<(), String> {
        for api in [&self.old, &self.new] {
            if api.knows(member) {
                api.reads(&self.object(api, Some((member, value))))?;
            }
        }
        Ok(())
    }

    /// Returns a valid object of a version, with one member set or with none.
    fn object(&self, api: &Api, set: Option<(&str, &Value)>) -> Value {
        let mut object = self.rest.clone();
        match set {
            Some((member, value)) => {
                let selects = api
                    .declared
                    .member(member)
                    .map(|member| member.value.clone());
                api.say(&mut object, selects.as_deref());
                object.insert(member.to_owned(), value.clone());
            }
            None => api.say(&mut object, api.cleared().ok().flatten().as_deref()),
        }
        Value::Object(object)
    }

    fn value(&self, member: &str, number: usize) -> Option<&Value> {
        self.values.get(member)?.get(number)
    }

    /// Returns the table with all rows and their cells.
    fn play(self) -> Skew {
        let members = self.members();
        let (common, changed): (Vec<&String>, Vec<&String>) = members
            .iter()
            .partition(|member| self.old.knows(member) && self.new.knows(member));
        let usual = common.get(1).or(common.first()).copied();
        let targets: Vec<&String> = usual
            .into_iter()
            .chain(changed)
            .take(MOST_MEMBERS)
            .collect();
        let mut intents = vec![Intent::Echo, Intent::EditElsewhere, Intent::EditInside];
        intents.extend(targets.iter().map(|member| Intent::Set((*member).clone())));
        intents.extend(
            targets
                .iter()
                .map(|member| Intent::Switch((*member).clone())),
        );
        intents.push(Intent::Clear);
        let cells = rows(&intents)
            .flat_map(|row| [Side::Old, Side::New].map(|server| self.cell(row.clone(), server)));
        let cells = cells.collect();
        Skew {
            old: self.old.version.name().to_owned(),
            new: self.new.version.name().to_owned(),
            cells,
        }
    }

    /// Returns the member that is set before the request. It is a member that the other version
    /// lacks if there is one, because versions differ there. If a client switches to a member that
    /// only one version has, the member before is one that both versions have.
    fn before(&self, row: &Row, server: Side) -> Option<String> {
        let (own, other) = match server {
            Side::Old => (&self.old, &self.new),
            Side::New => (&self.new, &self.old),
        };
        let known: Vec<&String> = own
            .declared
            .members
            .iter()
            .map(|member| &member.name)
            .collect();
        let found = match (&row.intent, row.verb) {
            (_, Verb::Create) => None,
            (Intent::Set(to) | Intent::Switch(to), _) => {
                let others = || known.iter().filter(|member| **member != to);
                let is_changed = !own.knows(to) || !other.knows(to);
                others()
                    .find(|member| other.knows(member) == is_changed)
                    .or_else(|| others().next())
            }
            _ => known
                .iter()
                .find(|member| !other.knows(member))
                .or(known.first()),
        };
        found.map(|member| (*member).clone())
    }

    /// Returns the reason for which a request does not occur, if there is one.
    fn senseless(&self, row: &Row, before: Option<&str>) -> Option<&'static str> {
        let client = self.api(row.client);
        let knows_set = before.is_none_or(|member| client.knows(member));
        match (row.verb, &row.intent) {
            (Verb::Create, Intent::Set(member)) if client.knows(member) => None,
            (_, Intent::Set(member) | Intent::Switch(member)) if !client.knows(member) => {
                Some("a client cannot set a member that it does not know")
            }
            (Verb::Create, _) => Some("a create has no stored object to keep or to change"),
            (_, Intent::Set(_) | Intent::Switch(_)) if before.is_none() => {
                Some("no other member is set")
            }
            (_, Intent::EditInside) if !knows_set => {
                Some("a client cannot edit inside a member that it does not know")
            }
            (_, Intent::EditInside)
                if before.is_none_or(|member| self.value(member, 1).is_none()) =>
            {
                Some("the member has no second value")
            }
            (_, Intent::Clear) if client.cleared().is_err() => {
                Some("a required union cannot be cleared")
            }
            (Verb::ApplyOwning, _) if knows_set => {
                Some("a client that knows all fields that it owns sends an ordinary apply")
            }
            _ => None,
        }
    }

    fn cell(&self, row: Row, server: Side) -> Cell {
        let before = self.before(&row, server);
        if let Some(why) = self.senseless(&row, before.as_deref()) {
            return Cell {
                row,
                server,
                stored: None,
                outcome: Outcome::Senseless(why),
            };
        }
        let stored = before.as_deref().map(|member| {
            let set = self.value(member, 0).map(|value| (member, value));
            whole(1, &self.object(self.api(server), set))
        });
        let outcome = match self.request(&row, stored.as_ref()) {
            Err(why) => Outcome::Unreadable(why),
            Ok(request) => self.answer(&row, server, before.as_deref(), stored.as_ref(), &request),
        };
        Cell {
            row,
            server,
            stored,
            outcome,
        }
    }

    /// Returns the request that the client sends, or the error of its type for the stored object.
    fn request(&self, row: &Row, stored: Option<&Value>) -> Result<Request, String> {
        let client = self.api(row.client);
        let empty = whole(1, &Value::Object(self.rest.clone()));
        let live = stored.unwrap_or(&empty);
        // A client that creates an object has not read one.
        let known = match stored {
            Some(stored) => client.known(stored),
            None => Ok(live.clone()),
        };
        let (read, known) = match row.kind {
            ClientKind::Structured => (known.clone()?, known?),
            ClientKind::Unstructured => {
                let known = known.unwrap_or_else(|_| client.pruned(live));
                (live.clone(), known)
            }
        };
        Ok(Request::of(row.verb, live, &read, &known, |object| {
            self.edit(row, object)
        }))
    }

    /// Returns a whole object that the client read, with the change that the client wants.
    fn edit(&self, row: &Row, object: &Value) -> Value {
        let client = self.api(row.client);
        let mut edited = object.clone();
        if row.intent == Intent::EditElsewhere {
            if let Value::Object(edited) = &mut edited {
                edited.insert(BESIDE.to_owned(), json!(2));
            }
            return edited;
        }
        let Some(Value::Object(part)) = edited.get_mut(PART) else {
            return edited;
        };
        let known = client.declared.members.iter().map(|member| &member.name);
        match &row.intent {
            Intent::Echo | Intent::EditElsewhere => {}
            Intent::EditInside => {
                let mut set = known.filter(|member| part.contains_key(*member)).cloned();
                let second = set.next().and_then(|member| {
                    let value = self.value(&member, 1)?.clone();
                    Some((member, value))
                });
                part.extend(second);
            }
            Intent::Set(member) | Intent::Switch(member) => {
                if matches!(row.intent, Intent::Switch(_)) {
                    let known: Vec<&String> = known.collect();
                    part.retain(|name, _| !known.contains(&name));
                }
                if let Some(value) = self.value(member, 0) {
                    part.insert(member.clone(), value.clone());
                }
                let selects = client.declared.member(member).map(|member| &*member.value);
                client.say(part, selects);
            }
            Intent::Clear => {
                let known: Vec<&String> = known.collect();
                part.retain(|name, _| !known.contains(&name));
                client.say(part, client.cleared().ok().flatten().as_deref());
            }
        }
        edited
    }

    /// Returns the whole object that should be stored after the request.
    fn wanted(
        &self,
        row: &Row,
        server: Side,
        before: Option<&str>,
        stored: Option<&Value>,
    ) -> Value {
        let (own, client) = (self.api(server), self.api(row.client));
        let first = |member: &str| self.value(member, 0).cloned();
        let stays = || stored.and_then(|stored| stored.get(PART)).cloned();
        let (beside, part) = match &row.intent {
            Intent::Echo => (1, stays()),
            Intent::EditElsewhere => (2, stays()),
            Intent::EditInside => {
                let second = before.and_then(|member| Some((member, self.value(member, 1)?)));
                (1, Some(self.object(own, second)))
            }
            Intent::Set(member) | Intent::Switch(member) => {
                let value = first(member);
                let set = value.as_ref().map(|value| (&**member, value));
                let of = if own.knows(member) { own } else { client };
                (1, Some(self.object(of, set)))
            }
            Intent::Clear => {
                let of = if own.cleared().is_ok() { own } else { client };
                (1, Some(self.object(of, None)))
            }
        };
        whole(beside, &part.unwrap_or_default())
    }

    /// Returns the outcome of a request at a server.
    fn answer(
        &self,
        row: &Row,
        server: Side,
        before: Option<&str>,
        stored: Option<&Value>,
        request: &Request,
    ) -> Outcome {
        let own = self.api(server);
        let live = stored.map(|stored| own.pruned(stored));
        let none = json!({});
        let Merged { object, applied } = request.merged(live.as_ref().unwrap_or(&none));
        let mut new = own.pruned(&object);
        let applied = applied.map(|applied| own.pruned(applied));
        let said = own.admit(&mut new, live.as_ref(), applied.as_ref(), self.settings);
        let verdict = if said.is_err() {
            Verdict::Refused
        } else if own.plain(&new) == own.plain(&self.wanted(row, server, before, stored)) {
            Verdict::Honoured
        } else {
            Verdict::Lost
        };
        let drops_unaware = row.kind == ClientKind::Structured
            && before.is_some_and(|member| !self.api(row.client).knows(member))
            && matches!(row.verb, Verb::Replace | Verb::ApplyOwning)
            && row.intent.leaves_union();
        let is_optional = before.and_then(|member| own.declared.member(member));
        let is_optional =
            own.declared.is_selected() && is_optional.is_some_and(|member| member.is_optional);
        Outcome::Sent {
            verdict,
            is_limit: verdict == Verdict::Lost && drops_unaware && is_optional,
            why: said.err(),
        }
    }
}

/// Returns the rows: every client with every verb and every intent.
fn rows(intents: &[Intent<String>]) -> impl Iterator<Item = Row> {
    const VERBS: [Verb; 5] = [
        Verb::Create,
        Verb::Replace,
        Verb::MergePatch,
        Verb::Apply,
        Verb::ApplyOwning,
    ];
    let clients = [ClientKind::Structured, ClientKind::Unstructured]
        .into_iter()
        .flat_map(|kind| [(kind, Side::Old), (kind, Side::New)]);
    let asks = clients.flat_map(|client| VERBS.map(|verb| (client, verb)));
    asks.flat_map(move |((kind, client), verb)| {
        intents.iter().map(move |intent| Row {
            kind,
            client,
            verb,
            intent: intent.clone(),
        })
    })
}
