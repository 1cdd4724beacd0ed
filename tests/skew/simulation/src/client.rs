//! A client: the part of an object that it reads, the changes that it intends, and the requests
//! that it sends.

use serde_json::{Value, json};

use crate::api::{Member, Need, Union, Version};
use union_compat::json;
use union_compat::skew::{self, ClientType, Request, RequestVerb};

/// A client that reads and writes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// The kind of values that the client keeps objects in.
    pub kind: ClientType,
    /// The version of the API that the client knows.
    pub version: Version,
}

/// The change that a client intends.
pub type Intent = skew::Intent<Member>;

impl Client {
    /// Returns the part of a served object that the client reads.
    #[must_use]
    pub fn read(self, served: &Value, union: Union) -> Value {
        match self.kind {
            ClientType::Structured => self.known_part(served, union),
            ClientType::Unstructured => served.clone(),
        }
    }

    /// Returns the part of an object that the client knows.
    ///
    /// A client of either kind applies only this part, because its author writes the applied
    /// object.
    fn known_part(self, object: &Value, union: Union) -> Value {
        json::prune(object, &self.version.schema(union))
    }

    /// Returns the request that the client sends about the `live` object, which is `None` on a
    /// create.
    #[must_use]
    pub fn request(
        self,
        verb: RequestVerb,
        intent: Intent,
        live: Option<&Value>,
        union: Union,
    ) -> Request {
        let empty = json!({"keep": 7, "target": {}});
        let live = live.unwrap_or(&empty);
        let read_object = self.read(live, union);
        let edited = |object: &Value| self.edit(object, intent, union);
        Request::for_verb(
            verb,
            live,
            &read_object,
            &self.known_part(live, union),
            edited,
        )
    }

    /// Returns the object with the change that the client intends.
    fn edit(self, object: &Value, intent: Intent, union: Union) -> Value {
        let mut object = object.clone();
        let known_members = self.version.members().iter();
        let (removed, selected): (Vec<Member>, Option<Member>) = match intent {
            Intent::Unchanged => return object,
            Intent::EditElsewhere => {
                object["keep"] = json!(30);
                return object;
            }
            Intent::EditMember => {
                let mut set_members =
                    known_members.filter(|member| object["target"].get(member.name()).is_some());
                if let Some(member) = set_members.next() {
                    object["target"][member.name()]["name"] = json!("second");
                }
                return object;
            }
            Intent::SetMember(member) => (Vec::new(), Some(member)),
            Intent::SwitchMember(member) => (known_members.copied().collect(), Some(member)),
            Intent::ClearMembers => (known_members.copied().collect(), None),
        };
        let target = &mut object["target"];
        if let Value::Object(target) = target {
            target.retain(|name, _| removed.iter().all(|member| member.name() != name));
        }
        if let Some(member) = selected {
            target[member.name()] = json!({"name": "third"});
        }
        if union.is_discriminated() {
            target["type"] = json!(selected.map_or("", Member::value));
        }
        object
    }
}

/// Returns true if the union can be in the state that the client intends.
pub(crate) fn is_possible(intent: Intent, union: Union) -> bool {
    intent != Intent::ClearMembers || union.need == Need::Optional
}
