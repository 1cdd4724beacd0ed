//! Every request of version 1, as a client sends it to a server of any version, and its outcome.

use serde_json::{Value, json};
use union_simulation::json;

use crate::upgrade::versions::{Request, UNION_PATHS, UnionPath, Version};
use crate::upgrade::world::{CLIENTS, Checks, Client, Intent, Outcome, Stored, VERBS, Verb};

/// A request of version 1: an object, and the change that a client intends.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) union_path: &'static UnionPath,
    /// The number of the set member.
    pub(crate) member: Option<usize>,
    pub(crate) client: Client,
    pub(crate) verb: Verb,
    pub(crate) intent: Intent,
    /// The number of the member that the client intends to set.
    pub(crate) intended_member: Option<usize>,
}

/// Returns every case: each object of version 1 with each change that a client can intend.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for union_path in &UNION_PATHS {
        let members = || (0..union_path.members.len()).map(Some);
        for member in [None].into_iter().chain(members()) {
            for client in CLIENTS {
                for verb in VERBS {
                    let other_members = members().filter(|candidate| *candidate != member);
                    for (intent, intended_member) in intents(member.is_some(), other_members) {
                        cases.push(Case {
                            union_path,
                            member,
                            client,
                            verb,
                            intent,
                            intended_member,
                        });
                    }
                }
            }
        }
    }
    cases
}

/// Returns the changes that a client can intend, each with the member that it sets.
fn intents(
    is_set: bool,
    other_members: impl Iterator<Item = Option<usize>>,
) -> Vec<(Intent, Option<usize>)> {
    let (without_other_member, with_other_member): (&[_], &[_]) = if is_set {
        let without_other_member = &[
            Intent::Echo,
            Intent::EditElsewhere,
            Intent::SetAgain,
            Intent::EditInside,
            Intent::Clear,
        ];
        (without_other_member, &[Intent::Switch, Intent::Add])
    } else {
        (&[Intent::Echo, Intent::EditElsewhere], &[Intent::Set])
    };
    let without_other_member = without_other_member.iter().map(|intent| (*intent, None));
    let other_members = other_members.flat_map(|intended_member| {
        with_other_member
            .iter()
            .map(move |intent| (*intent, intended_member))
    });
    without_other_member.chain(other_members).collect()
}

impl Case {
    fn content(&self, member: usize, content: u8) -> (&'static str, Value) {
        match self.union_path.members[member].0 {
            "value" => ("value", json!(content.to_string())),
            name => (name, json!({"content": content})),
        }
    }

    /// Returns the object as version 1 stores it.
    fn object(&self) -> Value {
        let mut union = json!({});
        if let Some(member) = self.member {
            let (name, content) = self.content(member, 1);
            union[name] = content;
        }
        (self.union_path.wrap)(union)
    }

    /// Returns `object` with the intended change. A client that knows the discriminator also sets
    /// the discriminator.
    fn apply_intent(&self, object: &Value, sets_discriminator: bool) -> Value {
        let mut object = object.clone();
        if self.intent == Intent::EditElsewhere {
            object["restartCount"] = json!(1);
        }
        let union = object
            .pointer_mut(self.union_path.pointer)
            .expect("a present value");
        let union = union.as_object_mut().expect("an object");
        let (removed_member, set_member, content) = match self.intent {
            Intent::Echo | Intent::EditElsewhere => return object,
            Intent::SetAgain => (None, self.member, 1),
            Intent::EditInside => (None, self.member, 2),
            Intent::Switch => (self.member, self.intended_member, 3),
            Intent::Set | Intent::Add => (None, self.intended_member, 3),
            Intent::Clear => (self.member, None, 0),
        };
        if let Some(member) = removed_member {
            union.remove(self.union_path.members[member].0);
        }
        if sets_discriminator {
            union.remove("type");
        }
        if let Some(member) = set_member {
            let (name, content) = self.content(member, content);
            union.insert(name.into(), content);
            if sets_discriminator {
                union.insert("type".into(), json!(self.union_path.members[member].1));
            }
        }
        object
    }

    /// Returns the object that should be stored, without discriminators.
    fn expected_object(&self) -> Value {
        let case = match self.intent {
            Intent::Add => Self {
                intent: Intent::Switch,
                ..*self
            },
            _ => *self,
        };
        case.apply_intent(&self.object(), false)
    }

    /// Returns the object with its discriminators.
    fn object_with_discriminators(&self) -> Value {
        let mut object = self.object();
        for union in unions(&mut object) {
            let mut members = self.union_path.members.iter();
            let set_member = members.find(|(name, _)| union.get(*name).is_some());
            if let Some((_, value)) = set_member {
                union["type"] = json!(value);
            }
        }
        object
    }

    pub(crate) fn object_stored_by(&self, stored: Stored) -> Value {
        match stored {
            Stored::ByOne => self.object(),
            Stored::ByTwo => self.object_with_discriminators(),
        }
    }

    /// Returns the stored object and the request of the client, or `None` if the client cannot read
    /// the object. A client of version 2 has the version `version`.
    pub(crate) fn stored_and_request(
        &self,
        version: Version,
        stored: Stored,
    ) -> Option<(Value, Request)> {
        let object = self.object_stored_by(stored);
        let read = |json: &Value| match self.client {
            Client::One => ((self.union_path.server)(Version::One).read)(json),
            Client::Two => ((self.union_path.server)(version).read)(json),
            Client::Unstructured => Some(json.clone()),
        };
        let knows_discriminator = self.client == Client::Two;
        let is_apply = matches!(self.verb, Verb::Apply | Verb::ApplyOwning);
        // A manifest for an apply has the version of its author, not of the stored object.
        let read_object = if is_apply && !knows_discriminator {
            self.object()
        } else {
            read(&object)?
        };
        let sent_object = read(&self.apply_intent(&read_object, knows_discriminator))?;
        let request = match self.verb {
            Verb::Create => Request::Create(sent_object),
            Verb::Replace => Request::Replace(sent_object),
            Verb::MergePatch => {
                Request::MergePatch(json::create_merge_patch(&read_object, &sent_object))
            }
            Verb::Apply => Request::Apply {
                last: read_object,
                applied: sent_object,
            },
            Verb::ApplyOwning => Request::Apply {
                last: object.clone(),
                applied: sent_object,
            },
        };
        Some((object, request))
    }

    /// Returns the outcome of a request.
    pub(crate) fn outcome(
        &self,
        server: Version,
        request: Option<&(Value, Request)>,
        checks: Checks,
    ) -> Outcome {
        let Some((stored, request)) = request else {
            return Outcome::Rejected;
        };
        match self.serve(server, stored, request, checks) {
            Ok(stored_object) => self.outcome_of_stored(&stored_object),
            Err(_) => Outcome::Rejected,
        }
    }

    /// Returns the object that is stored after the request, or the reason why the request is
    /// rejected.
    pub(crate) fn serve(
        &self,
        server: Version,
        stored: &Value,
        request: &Request,
        checks: Checks,
    ) -> Result<Value, String> {
        ((self.union_path.server)(server).serve)(stored, request, checks.settings())
    }

    /// Returns true if a member is set. Panics if the discriminator does not name the set member.
    pub(crate) fn assert_named_and_is_set(&self, object: &Value) -> bool {
        let union = object
            .pointer(self.union_path.pointer)
            .expect("a present value");
        let mut members = self.union_path.members.iter();
        let set_member = members.find(|(name, _)| union.get(*name).is_some());
        if let Some((_, value)) = set_member {
            assert_eq!(union["type"], *value, "{object}");
        }
        set_member.is_some()
    }

    /// Returns the outcome that the stored object shows.
    fn outcome_of_stored(&self, stored_object: &Value) -> Outcome {
        let mut object_without_discriminators = stored_object.clone();
        for union in unions(&mut object_without_discriminators) {
            union.as_object_mut().expect("an object").remove("type");
        }
        if object_without_discriminators == self.expected_object() {
            Outcome::Honoured
        } else if self.count_set_members(&object_without_discriminators) > 1 {
            Outcome::Several
        } else {
            Outcome::Lost
        }
    }

    fn count_set_members(&self, object: &Value) -> usize {
        let union = object
            .pointer(self.union_path.pointer)
            .expect("a present value");
        let members = self.union_path.members.iter();
        members
            .filter(|(name, _)| union.get(*name).is_some())
            .count()
    }
}

/// Returns all unions of an object.
fn unions(object: &mut Value) -> Vec<&mut Value> {
    let object = object.as_object_mut().expect("an object");
    let fields = object.iter_mut().filter(|(key, _)| *key != "restartCount");
    fields
        .flat_map(|(_, value)| match value {
            Value::Array(list) => list.iter_mut().collect(),
            union => vec![union],
        })
        .collect()
}
