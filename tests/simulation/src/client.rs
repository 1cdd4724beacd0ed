//! A client: what it sees of an object, what it wants, and what it sends.

use serde_json::{Value, json};

use crate::api::{Member, Need, Union, Version};
use crate::json;

/// Somebody who reads and writes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// What objects go through in it.
    pub kind: ClientKind,
    /// What it knows.
    pub version: Version,
}

/// What objects go through in a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientKind {
    /// A struct of its version: fields that it does not know are dropped. A discriminator value that it does not know is
    /// kept, as a string type or an enum type with `other` keeps it.
    Structured,
    /// A map: all that is there is kept, known or not.
    Unstructured,
}

/// How a client sends what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// A new object.
    Create,
    /// The whole object (PUT).
    Replace,
    /// What differs between what it read and what it wants (JSON merge patch).
    MergePatch,
    /// Server-side apply: the fields that the client knows, all of which it owns, with force, as controllers do.
    Apply,
    /// The same from a client that owns all that is set, though it does not know it: it was rolled back, and its newer
    /// version applied `tape`.
    ApplyOwning,
}

/// What a client wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// All is to stay as it is.
    Echo,
    /// A field outside of the union is to change.
    EditElsewhere,
    /// A field inside of the member that is set is to change.
    EditInside,
    /// This member is to be set in place of the one that is. The client takes nothing out; it selects the member, where
    /// there is a discriminator.
    Set(Member),
    /// The same, and the client takes out every other member that it knows.
    Switch(Member),
    /// No member is to be set.
    Clear,
}

/// What a client sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// See [`Verb::Create`].
    Create(Value),
    /// See [`Verb::Replace`].
    Replace(Value),
    /// See [`Verb::MergePatch`].
    MergePatch(Value),
    /// See [`Verb::Apply`].
    Apply {
        /// What the client applied before. It does not send that: the server has it as managed fields.
        last: Value,
        /// What it applies now.
        applied: Value,
    },
}

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
        match verb {
            Verb::Create => Request::Create(edited(&read)),
            Verb::Replace => Request::Replace(edited(&read)),
            Verb::MergePatch => {
                let patch = json::merge_diff(&read, &edited(&read));
                Request::MergePatch(patch.unwrap_or_else(|| json!({})))
            }
            Verb::Apply => {
                let known = self.known(live, union);
                let applied = edited(&known);
                Request::Apply {
                    last: known,
                    applied,
                }
            }
            Verb::ApplyOwning => Request::Apply {
                last: live.clone(),
                applied: edited(&read),
            },
        }
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

impl Intent {
    /// Whether the client leaves the union as it is.
    #[must_use]
    pub const fn leaves_union(self) -> bool {
        matches!(self, Self::Echo | Self::EditElsewhere)
    }

    /// Whether a union can be what the client wants.
    pub(crate) fn is_possible(self, union: Union) -> bool {
        self != Self::Clear || union.need == Need::Optional
    }
}
