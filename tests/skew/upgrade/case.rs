//! Every request of version 1, as a client sends it to a server of any version, and its outcome.

use serde_json::{Value, json};
use union_simulation::json;

use crate::upgrade::versions::{Asked, PLACES, Place, Version};
use crate::upgrade::world::{CLIENTS, Checks, Client, Outcome, Stored, VERBS, Verb, Want};

/// A request of version 1: an object, and the change that a client intends.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) place: &'static Place,
    /// The number of the set member.
    pub(crate) member: Option<usize>,
    pub(crate) client: Client,
    pub(crate) verb: Verb,
    pub(crate) want: Want,
    /// The number of the member that the client wants to set.
    pub(crate) other: Option<usize>,
}

/// Returns every case: each object of version 1 with each change that a client can intend.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for place in &PLACES {
        let members = || (0..place.members.len()).map(Some);
        for member in [None].into_iter().chain(members()) {
            for client in CLIENTS {
                for verb in VERBS {
                    let others = members().filter(|other| *other != member);
                    for (want, other) in wants(member.is_some(), others) {
                        cases.push(Case {
                            place,
                            member,
                            client,
                            verb,
                            want,
                            other,
                        });
                    }
                }
            }
        }
    }
    cases
}

fn wants(is_set: bool, others: impl Iterator<Item = Option<usize>>) -> Vec<(Want, Option<usize>)> {
    let (alone, with_another): (&[_], &[_]) = if is_set {
        let alone = &[
            Want::Echo,
            Want::EditElsewhere,
            Want::SetAgain,
            Want::EditInside,
            Want::Clear,
        ];
        (alone, &[Want::Switch, Want::Add])
    } else {
        (&[Want::Echo, Want::EditElsewhere], &[Want::Set])
    };
    let alone = alone.iter().map(|want| (*want, None));
    let others = others.flat_map(|other| with_another.iter().map(move |want| (*want, other)));
    alone.chain(others).collect()
}

impl Case {
    fn content(&self, member: usize, content: u8) -> (&'static str, Value) {
        match self.place.members[member].0 {
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
        (self.place.around)(union)
    }

    /// Returns `object` with the intended change. A client that knows the discriminator also sets
    /// the discriminator.
    fn edited(&self, object: &Value, knows: bool) -> Value {
        let mut object = object.clone();
        if self.want == Want::EditElsewhere {
            object["restartCount"] = json!(1);
        }
        let union = object.pointer_mut(self.place.at).expect("a present value");
        let union = union.as_object_mut().expect("an object");
        let (leaves, sets, content) = match self.want {
            Want::Echo | Want::EditElsewhere => return object,
            Want::SetAgain => (None, self.member, 1),
            Want::EditInside => (None, self.member, 2),
            Want::Switch => (self.member, self.other, 3),
            Want::Set | Want::Add => (None, self.other, 3),
            Want::Clear => (self.member, None, 0),
        };
        if let Some(member) = leaves {
            union.remove(self.place.members[member].0);
        }
        if knows {
            union.remove("type");
        }
        if let Some(member) = sets {
            let (name, content) = self.content(member, content);
            union.insert(name.into(), content);
            if knows {
                union.insert("type".into(), json!(self.place.members[member].1));
            }
        }
        object
    }

    /// Returns the object that should be stored, without discriminators.
    fn wanted(&self) -> Value {
        let case = match self.want {
            Want::Add => Self {
                want: Want::Switch,
                ..*self
            },
            _ => *self,
        };
        case.edited(&self.object(), false)
    }

    /// Returns the object with its discriminators.
    fn migrated(&self) -> Value {
        let mut object = self.object();
        for union in unions(&mut object) {
            let mut members = self.place.members.iter();
            let set = members.find(|(name, _)| union.get(*name).is_some());
            if let Some((_, value)) = set {
                union["type"] = json!(value);
            }
        }
        object
    }

    pub(crate) fn object_of(&self, stored: Stored) -> Value {
        match stored {
            Stored::ByOne => self.object(),
            Stored::ByTwo => self.migrated(),
        }
    }

    /// Returns the stored object and the request of the client, or `None` if the client cannot read
    /// the object. A client of version 2 has the version `version`.
    pub(crate) fn ask(&self, version: Version, stored: Stored) -> Option<(Value, Asked)> {
        let object = self.object_of(stored);
        let read = |json: &Value| match self.client {
            Client::One => ((self.place.server)(Version::One).read)(json),
            Client::Two => ((self.place.server)(version).read)(json),
            Client::Unstructured => Some(json.clone()),
        };
        let knows = self.client == Client::Two;
        let applies = matches!(self.verb, Verb::Apply | Verb::ApplyOwning);
        // A manifest for an apply has the version of its author, not of the stored object.
        let seen = if applies && !knows {
            self.object()
        } else {
            read(&object)?
        };
        let sent = read(&self.edited(&seen, knows))?;
        let asked = match self.verb {
            Verb::Create => Asked::Create(sent),
            Verb::Replace => Asked::Replace(sent),
            Verb::MergePatch => Asked::MergePatch(json::create_merge_patch(&seen, &sent)),
            Verb::Apply => Asked::Apply {
                last: seen,
                applied: sent,
            },
            Verb::ApplyOwning => Asked::Apply {
                last: object.clone(),
                applied: sent,
            },
        };
        Some((object, asked))
    }

    /// Returns the outcome of a request.
    pub(crate) fn outcome(
        &self,
        server: Version,
        request: Option<&(Value, Asked)>,
        checks: Checks,
    ) -> Outcome {
        let Some((stored, asked)) = request else {
            return Outcome::Refused;
        };
        match self.serve(server, stored, asked, checks) {
            Ok(after) => self.judge(&after),
            Err(_) => Outcome::Refused,
        }
    }

    /// Returns the object that is stored after the request, or the reason why the request is
    /// rejected.
    pub(crate) fn serve(
        &self,
        server: Version,
        stored: &Value,
        asked: &Asked,
        checks: Checks,
    ) -> Result<Value, String> {
        ((self.place.server)(server).serve)(stored, asked, checks.settings())
    }

    /// Returns true if a member is set. Panics if the discriminator does not name the set member.
    pub(crate) fn is_named(&self, object: &Value) -> bool {
        let union = object.pointer(self.place.at).expect("a present value");
        let mut members = self.place.members.iter();
        let set = members.find(|(name, _)| union.get(*name).is_some());
        if let Some((_, value)) = set {
            assert_eq!(union["type"], *value, "{object}");
        }
        set.is_some()
    }

    /// Returns the outcome that the stored object shows.
    fn judge(&self, after: &Value) -> Outcome {
        let mut plain = after.clone();
        for union in unions(&mut plain) {
            union.as_object_mut().expect("an object").remove("type");
        }
        if plain == self.wanted() {
            Outcome::Honoured
        } else if self.set(&plain) > 1 {
            Outcome::Several
        } else {
            Outcome::Lost
        }
    }

    fn set(&self, object: &Value) -> usize {
        let union = object.pointer(self.place.at).expect("a present value");
        let members = self.place.members.iter();
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
