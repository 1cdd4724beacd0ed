//! One thing that the new schema finds wrong with an object.

use serde::Serialize;

use crate::judge::answer::Finding;

/// What happens to a request, as far as one thing is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Fate {
    Refused,
    /// A server says nothing of it, or warns.
    Tolerated,
    /// It is not found.
    Accepted,
    /// It is not looked for, because of other errors.
    Unchecked,
}

/// What is wrong, and what happens to requests.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Judged {
    #[serde(flatten)]
    pub(super) finding: Finding,
    pub(super) create: Fate,
    pub(super) unrelated_update: Fate,
    pub(super) update_of_field: Fate,
    /// What the old schema makes of a create; `None` if there is none for the object.
    pub(super) old_schema: Option<Fate>,
}

impl Judged {
    /// For people: what happens to the requests.
    pub(super) fn fates(&self) -> String {
        let requests = [
            ("create", self.create),
            ("unrelated update", self.unrelated_update),
            ("update of the field", self.update_of_field),
        ];
        let requests = requests.map(|(request, fate)| format!("{request}: {}", fate.name()));
        let mut text = requests.join(", ");
        if self.old_schema == Some(Fate::Refused) {
            text.push_str("; the old schema refuses it too");
        }
        text
    }
}

impl Fate {
    const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Tolerated => "tolerated",
            Self::Accepted => "accepted",
            Self::Unchecked => "unchecked",
        }
    }
}
