//! A client: what it sees of an object, what it wants, and what it sends.

use serde_json::{Value, json};

use crate::api::{Member, Need, Union, Version};
use union_compat::json;
use union_compat::skew::{self, ClientKind, Request, Verb};

/// Somebody who reads and writes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// What objects go through in it.
    pub kind: ClientKind,
    /// What it knows.
    pub version: Version,
}

/// What a client wants.
pub type Intent = skew::Intent<Member>;

impl Client {
    /// What the client sees of an object that a server serves.
    #[must_use]
    pub fn read(self, served: &Value, union: Union) -> Value {
        match self.kind {
            ClientKind::Structured => self.known(served, union),
            ClientKind::Unstructured => served.clone(),
        }
    }

    /// What of an object the client knows. Somebody writes what is applied, so of either kind of client it is no more.
    fn known(self, object: &Value, union: Union) -> Value {
        json::prune(object, &self.version.schema(union))
    }

    /// What the client sends about the `live` object; on a create there is none.
    #[must_use]
    pub fn request(
        self,
        verb: Verb,
        intent: Intent,
        live: Option<&Value>,
        union: Union,
    ) -> Request {
        let empty = json!({"keep": 7, "target": {}});
        let live = live.unwrap_or(&empty);
        let read = self.read(live, union);
        let edited = |object: &Value| self.edit(object, intent, union);
        Request::of(verb, live, &read, &self.known(live, union), edited)
    }

    /// Does what the client wants to an object that it sees.
    fn edit(self, object: &Value, intent: Intent, union: Union) -> Value {
        let mut object = object.clone();
        let known = self.version.members().iter();
        let (leaves, selects): (Vec<Member>, Option<Member>) = match intent {
            Intent::Echo => return object,
            Intent::EditElsewhere => {
                object["keep"] = json!(30);
                return object;
            }
            Intent::EditInside => {
                let mut set = known.filter(|member| object["target"].get(member.name()).is_some());
                if let Some(member) = set.next() {
                    object["target"][member.name()]["name"] = json!("second");
                }
                return object;
            }
            Intent::Set(member) => (Vec::new(), Some(member)),
            Intent::Switch(member) => (known.copied().collect(), Some(member)),
            Intent::Clear => (known.copied().collect(), None),
        };
        let target = &mut object["target"];
        if let Value::Object(target) = target {
            target.retain(|name, _| leaves.iter().all(|member| member.name() != name));
        }
        if let Some(member) = selects {
            target[member.name()] = json!({"name": "third"});
        }
        if union.is_discriminated() {
            target["type"] = json!(selects.map_or("", Member::value));
        }
        object
    }
}

/// Whether a union can be what the client wants.
pub(crate) fn is_possible(intent: Intent, union: Union) -> bool {
    intent != Intent::Clear || union.need == Need::Optional
}
