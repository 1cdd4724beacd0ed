//! Simulates every request between two versions: the object that the client reads, the request that
//! the client sends, and the object that the server stores.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use union_json::document::SchemaPath;
use union_runtime::Settings;
use union_runtime::spec::UnionType;

use super::api::{SimulatedApi, enclose, unions_of};
use super::error::SkewError;
use super::matrix::{SkewCell, SkewMatrix, SkewOutcome, SkewRow, VersionSide};
use super::request::{ClientType, Intent, IntentOutcome, MergedObject, Request, RequestVerb};
use crate::version::version::{ApiVersion, EMBEDDED_FIELD, SIBLING_FIELD};
use crate::world::enclosing_object::make_union_valid;
use crate::world::object_space::match_unions;
use crate::world::options::Options;
use crate::world::value::{SharedValueSchemas, ValueSource, value_pair};

/// Returns a table with the outcome of every request between clients and servers of two versions of
/// a type: honoured, refused or lost. Servers normalize and validate unions with the default
/// [`Settings`], and drop unknown fields.
///
/// ```
/// use union_compat::skew::{IntentOutcome, skew};
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
/// assert_eq!(skew.count(IntentOutcome::Lost), 0);
/// println!("{skew}");
/// # Ok::<(), union_compat::skew::SkewError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the types do not have a common union, if no value of a member was found, or
/// if [`ApiVersion::from_type`] fails for a type.
///
/// # Panics
///
/// Panics if [`ApiVersion::from_type`] does.
pub fn skew<Old, New>() -> Result<SkewMatrix, SkewError>
where
    Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
    New: UnionType + JsonSchema + Serialize + DeserializeOwned,
{
    Options::new().skew::<Old, New>()
}

impl Options<'_> {
    /// Returns the table of all requests like [`skew`], with the settings and the values of the
    /// options.
    ///
    /// # Errors
    ///
    /// Returns an error if [`skew`] does.
    ///
    /// # Panics
    ///
    /// Panics if [`skew`] does.
    pub fn skew<Old, New>(&self) -> Result<SkewMatrix, SkewError>
    where
        Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
        New: UnionType + JsonSchema + Serialize + DeserializeOwned,
    {
        simulate::<Old, New>(*self)
    }
}

fn simulate<Old, New>(options: Options<'_>) -> Result<SkewMatrix, SkewError>
where
    Old: UnionType + JsonSchema + Serialize + DeserializeOwned,
    New: UnionType + JsonSchema + Serialize + DeserializeOwned,
{
    let (old, new) = (
        ApiVersion::from_type::<Old>()?,
        ApiVersion::from_type::<New>()?,
    );
    let (old_unions, new_unions) = (unions_of::<Old>(&old), unions_of::<New>(&new));
    let [compared_old_unions, compared_new_unions] = [&old_unions, &new_unions].map(|unions| {
        unions
            .iter()
            .map(|(_, compared_union)| compared_union.clone())
            .collect::<Vec<_>>()
    });
    let groups = match_unions(&compared_old_unions, &compared_new_unions);
    let pairs = groups
        .iter()
        .filter_map(|group| Some((*group.old.first()?, *group.new.first()?)));
    let pairs: Vec<_> = pairs.collect();
    // The first pair of unions that differ, or else the first pair.
    let pair = pairs.iter().find(|(old, new)| old != new).or(pairs.first());
    let Some((old_union, new_union)) = pair else {
        return Err(SkewError::NoCommonUnion {
            old: old.name().to_owned(),
            new: new.name().to_owned(),
        });
    };
    let no_union = |version: &str| SkewError::NoUnion {
        version: version.to_owned(),
    };
    let take_union = |unions: Vec<_>, wanted_union: &_, name: &str| {
        let mut unions = unions.into_iter();
        unions
            .find(|(_, compared_union)| compared_union == wanted_union)
            .ok_or_else(|| no_union(name))
    };
    let old_union = take_union(old_unions, *old_union, old.name())?;
    let new_union = take_union(new_unions, *new_union, new.name())?;
    let scenario = SkewScenario {
        old: SimulatedApi::new::<Old>(old, old_union).map_err(SkewError::SchemaMismatch)?,
        new: SimulatedApi::new::<New>(new, new_union).map_err(SkewError::SchemaMismatch)?,
        values: BTreeMap::new(),
        other_fields: Map::new(),
        settings: options.settings,
    };
    Ok(scenario.with_values(options.values)?.matrix())
}

/// The maximum number of members that clients set or switch to.
const MAX_MEMBERS: usize = 8;

/// Both versions, and the values that members have.
struct SkewScenario {
    old: SimulatedApi,
    new: SimulatedApi,
    /// One or two values of each member.
    values: BTreeMap<String, Vec<Value>>,
    /// Values of the other fields that the schemas require.
    other_fields: Map<String, Value>,
    settings: Settings,
}

impl SkewScenario {
    const fn api(&self, side: VersionSide) -> &SimulatedApi {
        match side {
            VersionSide::Old => &self.old,
            VersionSide::New => &self.new,
        }
    }

    /// Returns the members of both versions, first the members of the old version.
    fn members(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for member in [&self.old, &self.new]
            .iter()
            .flat_map(|api| &api.union.members)
        {
            if !names.contains(&member.name) {
                names.push(member.name.clone());
            }
        }
        names
    }

    fn with_values(mut self, value_source: ValueSource<'_>) -> Result<Self, SkewError> {
        let schemas = [
            self.old.version.schema().clone(),
            self.new.version.schema().clone(),
        ];
        for schema in &schemas {
            if let Value::Object(example) = crd_unions::example_value(schema) {
                for (name, value) in example {
                    self.other_fields.entry(name).or_insert(value);
                }
            }
        }
        let fields: Vec<String> = [&self.old, &self.new]
            .iter()
            .flat_map(|api| api.union.fields().map(str::to_owned))
            .collect();
        self.other_fields.retain(|name, _| !fields.contains(name));
        let all_schemas: Vec<&Value> = schemas.iter().collect();
        for version in [&self.old.version, &self.new.version] {
            let unions = version
                .union_object(&SchemaPath::root())
                .into_iter()
                .flat_map(|union_object| &union_object.unions);
            for union in unions.filter(|union| {
                union
                    .fields()
                    .all(|name| !fields.iter().any(|field| field == name))
            }) {
                make_union_valid(&mut self.other_fields, union, &all_schemas, None);
            }
        }
        for name in self.members() {
            let member_schemas: Vec<&Value> = schemas
                .iter()
                .filter_map(|schema| schema.get("properties")?.get(&name))
                .collect();
            let value_schemas = SharedValueSchemas::new(member_schemas.iter().copied());
            let mut error = "its schema accepts no generated value".to_owned();
            let mut values: Vec<Value> = Vec::new();
            let supplied_values = (0..2).map_while(|index| value_source(&name, index));
            for value in supplied_values.chain(value_pair(&member_schemas)) {
                if values.contains(&value) || !value_schemas.accepts(&value) || values.len() == 2 {
                    continue;
                }
                match self.check_readable(&name, &value) {
                    Ok(()) => values.push(value),
                    Err(type_error) => error = type_error,
                }
            }
            if values.is_empty() {
                return Err(SkewError::NoValue {
                    member: name,
                    error,
                });
            }
            self.values.insert(name, values);
        }
        Ok(self)
    }

    /// Returns an error if a type with the member cannot deserialize an object with a value of the
    /// member.
    fn check_readable(&self, member: &str, value: &Value) -> Result<(), String> {
        for api in [&self.old, &self.new] {
            if api.has_member(member) {
                api.check_readable(&self.object(api, Some((member, value))))?;
            }
        }
        Ok(())
    }

    /// Returns a valid object of a version with at most one set member.
    fn object(&self, api: &SimulatedApi, set_member: Option<(&str, &Value)>) -> Value {
        let mut object = self.other_fields.clone();
        match set_member {
            Some((member, value)) => {
                let selected_value = api.union.member(member).map(|member| member.value.clone());
                api.set_discriminator(&mut object, selected_value.as_deref());
                object.insert(member.to_owned(), value.clone());
            }
            None => api.set_discriminator(
                &mut object,
                api.cleared_discriminator().ok().flatten().as_deref(),
            ),
        }
        Value::Object(object)
    }

    fn value(&self, member: &str, index: usize) -> Option<&Value> {
        self.values.get(member)?.get(index)
    }

    /// Returns the table with all its cells.
    fn matrix(self) -> SkewMatrix {
        let members = self.members();
        let (common_members, changed_members): (Vec<&String>, Vec<&String>) = members
            .iter()
            .partition(|member| self.old.has_member(member) && self.new.has_member(member));
        let common_member = common_members.get(1).or(common_members.first()).copied();
        let targets: Vec<&String> = common_member
            .into_iter()
            .chain(changed_members)
            .take(MAX_MEMBERS)
            .collect();
        let mut intents = vec![Intent::Unchanged, Intent::EditElsewhere, Intent::EditMember];
        intents.extend(
            targets
                .iter()
                .map(|member| Intent::SetMember((*member).clone())),
        );
        intents.extend(
            targets
                .iter()
                .map(|member| Intent::SwitchMember((*member).clone())),
        );
        intents.push(Intent::ClearMembers);
        let cells = all_rows(&intents).flat_map(|row| {
            [VersionSide::Old, VersionSide::New].map(|server| self.cell(row.clone(), server))
        });
        let cells = cells.collect();
        SkewMatrix {
            old: self.old.version.name().to_owned(),
            new: self.new.version.name().to_owned(),
            cells,
        }
    }

    /// Returns the member that is set before the request. If possible, this is a member that the
    /// other version does not have, because the outcomes differ for such members. If a client
    /// switches to a member of only one version, the member before the switch exists in both
    /// versions.
    fn previous_member(&self, row: &SkewRow, server: VersionSide) -> Option<String> {
        let (server_api, other_api) = match server {
            VersionSide::Old => (&self.old, &self.new),
            VersionSide::New => (&self.new, &self.old),
        };
        let known_members: Vec<&String> = server_api
            .union
            .members
            .iter()
            .map(|member| &member.name)
            .collect();
        let member = match (&row.intent, row.verb) {
            (_, RequestVerb::Create) => None,
            (Intent::SetMember(target_member) | Intent::SwitchMember(target_member), _) => {
                let other_members = || {
                    known_members
                        .iter()
                        .filter(|member| **member != target_member)
                };
                let is_changed =
                    !server_api.has_member(target_member) || !other_api.has_member(target_member);
                other_members()
                    .find(|member| other_api.has_member(member) == is_changed)
                    .or_else(|| other_members().next())
            }
            _ => known_members
                .iter()
                .find(|member| !other_api.has_member(member))
                .or(known_members.first()),
        };
        member.map(|member| (*member).clone())
    }

    /// Returns the reason why a request does not exist, or `None` if it does.
    fn not_applicable_reason(
        &self,
        row: &SkewRow,
        previous_member: Option<&str>,
    ) -> Option<&'static str> {
        let client = self.api(row.client);
        let knows_previous_member = previous_member.is_none_or(|member| client.has_member(member));
        match (row.verb, &row.intent) {
            (RequestVerb::Create, Intent::SetMember(member)) if client.has_member(member) => None,
            (_, Intent::SetMember(member) | Intent::SwitchMember(member))
                if !client.has_member(member) =>
            {
                Some("a client cannot set a member that it does not know")
            }
            (RequestVerb::Create, _) => Some("a create has no stored object to keep or to change"),
            (_, Intent::SetMember(_) | Intent::SwitchMember(_)) if previous_member.is_none() => {
                Some("no other member is set")
            }
            (_, Intent::EditMember) if !knows_previous_member => {
                Some("a client cannot edit inside a member that it does not know")
            }
            (_, Intent::EditMember)
                if previous_member.is_none_or(|member| self.value(member, 1).is_none()) =>
            {
                Some("the member has no second value")
            }
            (_, Intent::ClearMembers) if client.cleared_discriminator().is_err() => {
                Some("a required union cannot be cleared")
            }
            (RequestVerb::ApplyOwning, _) if knows_previous_member => {
                Some("a client that knows all fields that it owns sends an ordinary apply")
            }
            _ => None,
        }
    }

    fn cell(&self, row: SkewRow, server: VersionSide) -> SkewCell {
        let previous_member = self.previous_member(&row, server);
        if let Some(reason) = self.not_applicable_reason(&row, previous_member.as_deref()) {
            return SkewCell {
                row,
                server,
                stored: None,
                outcome: SkewOutcome::NotApplicable(reason),
            };
        }
        let stored = previous_member.as_deref().map(|member| {
            let set_member = self.value(member, 0).map(|value| (member, value));
            enclose(1, &self.object(self.api(server), set_member))
        });
        let outcome = match self.request(&row, stored.as_ref()) {
            Err(error) => SkewOutcome::Unreadable(error),
            Ok(request) => self.send(
                &row,
                server,
                previous_member.as_deref(),
                stored.as_ref(),
                &request,
            ),
        };
        SkewCell {
            row,
            server,
            stored,
            outcome,
        }
    }

    /// Returns the request that the client sends, or the error of the client's type for the stored
    /// object.
    fn request(&self, row: &SkewRow, stored: Option<&Value>) -> Result<Request, String> {
        let client = self.api(row.client);
        let empty = enclose(1, &Value::Object(self.other_fields.clone()));
        let live = stored.unwrap_or(&empty);
        // A client that creates an object has not read a stored object.
        let known_fields = match stored {
            Some(stored) => client.known_fields(stored),
            None => Ok(live.clone()),
        };
        let (read_object, known_fields) = match row.client_type {
            ClientType::Structured => (known_fields.clone()?, known_fields?),
            ClientType::Unstructured => {
                let known_fields = known_fields.unwrap_or_else(|_| client.prune(live));
                (live.clone(), known_fields)
            }
        };
        Ok(Request::for_verb(
            row.verb,
            live,
            &read_object,
            &known_fields,
            |object| self.edit(row, object),
        ))
    }

    /// Applies the change that the client intends to an enclosing object.
    fn edit(&self, row: &SkewRow, object: &Value) -> Value {
        let client = self.api(row.client);
        let mut edited = object.clone();
        if row.intent == Intent::EditElsewhere {
            if let Value::Object(edited) = &mut edited {
                edited.insert(SIBLING_FIELD.to_owned(), json!(2));
            }
            return edited;
        }
        let Some(Value::Object(embedded)) = edited.get_mut(EMBEDDED_FIELD) else {
            return edited;
        };
        let known_members = client.union.members.iter().map(|member| &member.name);
        match &row.intent {
            Intent::Unchanged | Intent::EditElsewhere => {}
            Intent::EditMember => {
                let mut set_members = known_members
                    .filter(|member| embedded.contains_key(*member))
                    .cloned();
                let second_value = set_members.next().and_then(|member| {
                    let value = self.value(&member, 1)?.clone();
                    Some((member, value))
                });
                embedded.extend(second_value);
            }
            Intent::SetMember(member) | Intent::SwitchMember(member) => {
                if matches!(row.intent, Intent::SwitchMember(_)) {
                    let known_members: Vec<&String> = known_members.collect();
                    embedded.retain(|name, _| !known_members.contains(&name));
                }
                if let Some(value) = self.value(member, 0) {
                    embedded.insert(member.clone(), value.clone());
                }
                let selected_value = client.union.member(member).map(|member| &*member.value);
                client.set_discriminator(embedded, selected_value);
            }
            Intent::ClearMembers => {
                let known_members: Vec<&String> = known_members.collect();
                embedded.retain(|name, _| !known_members.contains(&name));
                client.set_discriminator(
                    embedded,
                    client.cleared_discriminator().ok().flatten().as_deref(),
                );
            }
        }
        edited
    }

    /// Returns the enclosing object that should be stored after the request.
    fn expected_object(
        &self,
        row: &SkewRow,
        server: VersionSide,
        previous_member: Option<&str>,
        stored: Option<&Value>,
    ) -> Value {
        let (server_api, client) = (self.api(server), self.api(row.client));
        let first_value = |member: &str| self.value(member, 0).cloned();
        let unchanged = || {
            stored
                .and_then(|stored| stored.get(EMBEDDED_FIELD))
                .cloned()
        };
        let (sibling, embedded) = match &row.intent {
            Intent::Unchanged => (1, unchanged()),
            Intent::EditElsewhere => (2, unchanged()),
            Intent::EditMember => {
                let second_value =
                    previous_member.and_then(|member| Some((member, self.value(member, 1)?)));
                (1, Some(self.object(server_api, second_value)))
            }
            Intent::SetMember(member) | Intent::SwitchMember(member) => {
                let value = first_value(member);
                let set_member = value.as_ref().map(|value| (&**member, value));
                let api = if server_api.has_member(member) {
                    server_api
                } else {
                    client
                };
                (1, Some(self.object(api, set_member)))
            }
            Intent::ClearMembers => {
                let api = if server_api.cleared_discriminator().is_ok() {
                    server_api
                } else {
                    client
                };
                (1, Some(self.object(api, None)))
            }
        };
        enclose(sibling, &embedded.unwrap_or_default())
    }

    /// Returns the outcome of a request at a server.
    fn send(
        &self,
        row: &SkewRow,
        server: VersionSide,
        previous_member: Option<&str>,
        stored: Option<&Value>,
        request: &Request,
    ) -> SkewOutcome {
        let server_api = self.api(server);
        let live = stored.map(|stored| server_api.prune(stored));
        let empty = json!({});
        let MergedObject { object, applied } = request.apply_to(live.as_ref().unwrap_or(&empty));
        let mut new = server_api.prune(&object);
        let applied = applied.map(|applied| server_api.prune(applied));
        let result = server_api.admit(&mut new, live.as_ref(), applied.as_ref(), self.settings);
        let intent_outcome = if result.is_err() {
            IntentOutcome::Rejected
        } else if server_api.with_default_discriminator(&new)
            == server_api.with_default_discriminator(&self.expected_object(
                row,
                server,
                previous_member,
                stored,
            ))
        {
            IntentOutcome::Honoured
        } else {
            IntentOutcome::Lost
        };
        let drops_unknown_member = row.client_type == ClientType::Structured
            && previous_member.is_some_and(|member| !self.api(row.client).has_member(member))
            && matches!(row.verb, RequestVerb::Replace | RequestVerb::ApplyOwning)
            && row.intent.is_union_unchanged();
        let previous_member = previous_member.and_then(|member| server_api.union.member(member));
        let is_optional = server_api.union.is_discriminated()
            && previous_member.is_some_and(|member| member.is_optional);
        SkewOutcome::Sent {
            intent_outcome,
            is_limit: intent_outcome == IntentOutcome::Lost && drops_unknown_member && is_optional,
            error: result.err(),
        }
    }
}

/// Returns all rows: every client with every verb and every intent.
fn all_rows(intents: &[Intent<String>]) -> impl Iterator<Item = SkewRow> {
    const VERBS: [RequestVerb; 5] = [
        RequestVerb::Create,
        RequestVerb::Replace,
        RequestVerb::MergePatch,
        RequestVerb::Apply,
        RequestVerb::ApplyOwning,
    ];
    let clients = [ClientType::Structured, ClientType::Unstructured]
        .into_iter()
        .flat_map(|client_type| {
            [
                (client_type, VersionSide::Old),
                (client_type, VersionSide::New),
            ]
        });
    let requests = clients.flat_map(|client| VERBS.map(|verb| (client, verb)));
    requests.flat_map(move |((client_type, client), verb)| {
        intents.iter().map(move |intent| SkewRow {
            client_type,
            client,
            verb,
            intent: intent.clone(),
        })
    })
}
