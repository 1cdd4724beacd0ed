//! Values of members that the server accepts, as far as they can be found.

use std::collections::BTreeMap;

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::Value;

use crate::cluster::{Cluster, Fallible};
use crate::made_value;
use crate::random_unions::{KindWithUnions, Member, Union, UnionPlace};
use crate::repair::{self, Kept, below};
use crate::types::{Form, Types};

/// The values of the members, by type and field.
pub(crate) struct Values(BTreeMap<(String, String), Value>);

/// The number of members whose values are sought at a time.
const PARALLEL: usize = 8;

impl Values {
    /// Finds a value for each member of each type, in the first place of the type.
    pub(crate) async fn make(
        cluster: &Cluster,
        types: &Types,
        kinds: &[KindWithUnions],
    ) -> Fallible<Self> {
        let mut members: BTreeMap<(String, String), (&UnionPlace, &Union, &Member)> =
            BTreeMap::new();
        for place in kinds.iter().flat_map(|kind| &kind.places) {
            for union in &place.unions {
                for member in &union.members {
                    let key = (place.place.definition.clone(), member.field.clone());
                    members.entry(key).or_insert((place, union, member));
                }
            }
        }
        let values = stream::iter(members)
            .map(|(key, (place, union, member))| async move {
                let value = value(cluster, types, place, union, member).await?;
                Fallible::Ok((key, value))
            })
            .buffered(PARALLEL);
        Ok(Self(values.try_collect().await?))
    }

    /// Returns the value of a member of a type.
    pub(crate) fn get(&self, definition: &str, field: &str) -> Value {
        let key = (definition.to_owned(), field.to_owned());
        self.0.get(&key).cloned().unwrap_or_default()
    }
}

/// Returns the value with the fewest errors of its own.
async fn value(
    cluster: &Cluster,
    types: &Types,
    place: &UnionPlace,
    union: &Union,
    member: &Member,
) -> Fallible<Value> {
    let mut fields = types.fields(&place.place.definition).into_iter();
    let Some(field) = fields.find(|field| field.name == member.field) else {
        return Ok(Value::Null);
    };
    let mut variants = vec![made_value::value(types, &field.name, &field.form)];
    if let Form::Object(definition) = &field.form {
        variants.extend(made_value::objects_with_one_field(types, definition));
    }
    let path = match &*place.place.path() {
        "" => member.field.clone(),
        path => format!("{path}.{}", member.field),
    };
    let mut best: Option<(usize, Value)> = None;
    for variant in variants {
        let mut object = place.place.object(types);
        let union_object = place.place.value_in(&mut object);
        union.select(union_object, member);
        union_object[&member.field] = variant.clone();
        let errors = repair::repair(
            cluster,
            &place.place.kind,
            &mut object,
            &path,
            Kept::Outside,
        )
        .await?;
        let own_errors = errors
            .iter()
            .filter(|error| below(&error.field, &path).is_some());
        let count = own_errors.count();
        let value = place.place.value_in(&mut object)[&member.field].take();
        let value = if value.is_null() { variant } else { value };
        if best.as_ref().is_none_or(|(least, _)| count < *least) {
            best = Some((count, value));
        }
        if count == 0 {
            break;
        }
    }
    Ok(best.map(|(_, value)| value).unwrap_or_default())
}
