//! The code, the description and the remedy for each cause.

use crate::report::cause::Cause;
use crate::report::finding::ChangeCode;
use crate::version::version_side::VersionSide;

/// The wording of a finding.
pub(crate) struct Wording {
    pub(crate) code: ChangeCode,
    /// The names that distinguish findings with equal codes.
    pub(crate) subjects: Vec<String>,
    /// The fields that the finding is about.
    pub(crate) fields: Vec<String>,
    /// True if the finding is about a rule that is not part of the union.
    pub(crate) is_about_other_rule: bool,
    pub(crate) description: String,
    pub(crate) remedy: String,
}

/// Returns the wording for an object that the version `accepting_side` accepts and the other
/// version rejects.
pub(crate) fn wording(cause: &Cause, accepting_side: VersionSide) -> Wording {
    match accepting_side {
        VersionSide::Old => wording_if_newly_rejected(cause),
        VersionSide::New => wording_if_newly_accepted(cause),
    }
}

fn new_wording(
    code: ChangeCode,
    subjects: &[&str],
    description: String,
    remedy: String,
) -> Wording {
    let subjects: Vec<String> = subjects
        .iter()
        .map(|subject| (*subject).to_owned())
        .collect();
    Wording {
        code,
        fields: subjects.clone(),
        subjects,
        is_about_other_rule: false,
        description,
        remedy,
    }
}

fn quoted_list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Returns the wording for an object that only the old version accepts.
fn wording_if_newly_rejected(cause: &Cause) -> Wording {
    match cause {
        Cause::NoValue(value, field) => value_removed(value, field.as_deref()),
        Cause::ValueRenamed(old, new) => value_renamed(old, new),
        Cause::EnumClosed(name) => new_wording(
            ChangeCode::ValuesClosed,
            &[name],
            format!("`{name}` now accepts only listed values"),
            format!("list every value that stored objects have, or remove the enum of `{name}`"),
        ),
        Cause::NoDiscriminator(name) => discriminator_removed(name),
        Cause::DiscriminatorRenamed(old, new) => discriminator_renamed(old, new),
        Cause::NoMember(field) => member_removed(field),
        Cause::MemberRenamed(old, new) => member_renamed(old, new),
        Cause::BecameDiscriminated(name) => discriminator_added(name),
        Cause::DefaultChanged(name) => default_changed(name),
        Cause::DiscriminatorRequired(name) => new_wording(
            ChangeCode::DiscriminatorRequired,
            &[name],
            format!("`{name}` is now required, and was optional"),
            format!(
                "keep `{name}` optional, or set a default that means the same as an absent `{name}`"
            ),
        ),
        Cause::MemberMoved(field, old, new) => member_moved(field, old, new),
        Cause::MemberRequired(value, field) => new_wording(
            ChangeCode::MemberRequired,
            &[value, field],
            format!("`{field}` is now required with {value:?}, and was optional"),
            format!(
                "keep `{field}` optional, and describe an unset `{field}` by defaults inside it"
            ),
        ),
        Cause::MutuallyExclusive(fields) => new_wording(
            ChangeCode::ExclusivityAdded,
            &[],
            format!(
                "this combination of {} is no longer accepted",
                quoted_list(fields)
            ),
            "tolerate stored objects, with ratcheting in a webhook (KEP-1027) or with rules that \
             read `oldSelf`; announce the change to clients first"
                .to_owned(),
        ),
        Cause::OneRequired(fields) => new_wording(
            ChangeCode::OneRequired,
            &[],
            format!(
                "one of {} must now be set, and all could be unset",
                quoted_list(fields)
            ),
            "keep \"at most one\", or add a member for the empty union and make it the default"
                .to_owned(),
        ),
        Cause::Rule(error) => new_wording(
            ChangeCode::RuleAdded,
            &[error],
            "a rule that is not part of the union rejects the object".to_owned(),
            "remove the rule, or let it tolerate stored objects with `optionalOldSelf`".to_owned(),
        ),
    }
}

fn value_removed(value: &str, field: Option<&str>) -> Wording {
    let member_suffix = field.map_or(String::new(), |field| format!(" (`{field}`)"));
    let wording = new_wording(
        ChangeCode::ValueRemoved,
        &[value],
        format!("the value {value:?}{member_suffix} was removed"),
        format!(
            "keep {value:?} in the enum, and its member, until no object has it; reject new uses \
                     with a rule that reads `oldSelf`"
        ),
    );
    Wording {
        fields: field.map(str::to_owned).into_iter().collect(),
        ..wording
    }
}

fn discriminator_removed(name: &str) -> Wording {
    new_wording(
        ChangeCode::DiscriminatorRemoved,
        &[name],
        format!("the discriminator `{name}` was removed"),
        format!(
            "keep `{name}`; without it, an API server cannot know which member a client with an old schema wants"
        ),
    )
}

fn discriminator_renamed(old: &str, new: &str) -> Wording {
    new_wording(
        ChangeCode::DiscriminatorRenamed,
        &[old, new],
        format!("the discriminator `{old}` was renamed to `{new}`"),
        format!("keep `{old}`, or add a new version of the API with a conversion webhook"),
    )
}

fn member_removed(field: &str) -> Wording {
    new_wording(
        ChangeCode::MemberRemoved,
        &[field],
        format!("the member `{field}` was removed"),
        format!(
            "keep `{field}` in the schema until no object has it, because API servers drop fields that the schema does not have"
        ),
    )
}

fn member_renamed(old: &str, new: &str) -> Wording {
    new_wording(
        ChangeCode::MemberRenamed,
        &[old, new],
        format!("the member `{old}` was renamed to `{new}`"),
        format!("keep `{old}`, or add a new version of the API with a conversion webhook"),
    )
}

fn discriminator_added(name: &str) -> Wording {
    new_wording(
        ChangeCode::DiscriminatorAdded,
        &[name],
        format!("the discriminator `{name}` was added"),
        format!(
            "make `{name}` optional and let it follow the members (`deduce`) while clients and \
                 objects without it exist; a default is correct only for objects of one member"
        ),
    )
}

fn member_moved(field: &str, old: &str, new: &str) -> Wording {
    new_wording(
        ChangeCode::MemberMoved,
        &[field, old, new],
        format!("the member `{field}` now belongs to {new:?}, and belonged to {old:?}"),
        format!("keep `{field}` as the member of {old:?}, and add another member for {new:?}"),
    )
}

fn value_renamed(old: &str, new: &str) -> Wording {
    new_wording(
        ChangeCode::ValueRenamed,
        &[old, new],
        format!("the value {old:?} was renamed to {new:?}"),
        format!("keep {old:?}; a value is part of the API, like the name of a field"),
    )
}

/// Returns the wording for an object that only the new version accepts.
fn wording_if_newly_accepted(cause: &Cause) -> Wording {
    match cause {
        Cause::NoValue(value, field) => value_added(value, field.as_deref()),
        Cause::ValueRenamed(new, old) => value_renamed(old, new),
        Cause::EnumClosed(name) => new_wording(
            ChangeCode::ValuesOpened,
            &[name],
            format!("`{name}` now accepts any string, and accepted only listed values"),
            "first update clients to an enum type with an `other` variant".to_owned(),
        ),
        Cause::NoDiscriminator(name) => discriminator_added(name),
        Cause::DiscriminatorRenamed(new, old) => {
            discriminator_renamed(old, new)
        }
        Cause::NoMember(field) => new_wording(
            ChangeCode::MemberAdded,
            &[field],
            format!("the member `{field}` was added"),
            format!(
                "use a discriminator; without one, clients that do not know `{field}` drop it and \
                 see an empty union"
            ),
        ),
        Cause::MemberRenamed(new, old) => member_renamed(old, new),
        Cause::BecameDiscriminated(name) => discriminator_removed(name),
        Cause::DefaultChanged(name) => default_changed(name),
        Cause::DiscriminatorRequired(name) => new_wording(
            ChangeCode::DiscriminatorOptional,
            &[name],
            format!("`{name}` is now optional"),
            format!("set a default for `{name}`, because clients expect that the field is present"),
        ),
        Cause::MemberMoved(field, new, old) => {
            member_moved(field, old, new)
        }
        Cause::MemberRequired(value, field) => new_wording(
            ChangeCode::MemberOptional,
            &[value, field],
            format!("`{field}` is now optional with {value:?}, and was required"),
            format!("update clients that expect `{field}` to be set"),
        ),
        Cause::MutuallyExclusive(fields) => new_wording(
            ChangeCode::ExclusivityRemoved,
            &[],
            format!("this combination of {} is now accepted, and was rejected", quoted_list(fields)),
            "restore the rule, or tell clients which of the fields has precedence".to_owned(),
        ),
        Cause::OneRequired(fields) => new_wording(
            ChangeCode::NoneAllowed,
            &[],
            format!("all of {} may now be unset, and one had to be set", quoted_list(fields)),
            "document the meaning of the empty union; a client whose enum has no variant for it cannot deserialize the object".to_owned(),
        ),
        Cause::Rule(error) => new_wording(
            ChangeCode::RuleRemoved,
            &[error],
            "a rule that is not part of the union was removed".to_owned(),
            "restore the rule while the old version is still served".to_owned(),
        ),
    }
}

pub(crate) fn default_changed(name: &str) -> Wording {
    new_wording(
        ChangeCode::DefaultChanged,
        &[name],
        format!("the default of an absent `{name}` changed"),
        format!(
            "keep the old default, because clients that omit `{name}` rely on it; a new version of the API may have another default"
        ),
    )
}

/// Returns the wording for two versions that are served together, if the version `without_rule`
/// does not have a rule of the version `with_rule`.
pub(crate) fn rule_missing(without_rule: &str, with_rule: &str) -> Wording {
    new_wording(
        ChangeCode::RuleMissing,
        &[without_rule, with_rule],
        format!("{without_rule} does not have a rule that {with_rule} has"),
        format!(
            "copy the rules of {with_rule} to {without_rule}, because objects that are written through {without_rule} are read and changed through {with_rule}"
        ),
    )
}

fn value_added(value: &str, field: Option<&str>) -> Wording {
    let member_suffix = field.map_or(String::new(), |field| format!(" (`{field}`)"));
    let wording = new_wording(
        ChangeCode::ValueAdded,
        &[value],
        format!("the value {value:?}{member_suffix} was added"),
        "update clients to an enum type with an `other` variant before the value is \
                 stored; without this variant they cannot deserialize the object"
            .to_owned(),
    );
    Wording {
        fields: field.map(str::to_owned).into_iter().collect(),
        ..wording
    }
}
