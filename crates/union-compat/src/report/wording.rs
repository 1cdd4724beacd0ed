//! The code, the description and the remedy for each cause.

use crate::report::cause::Cause;
use crate::report::finding::Code;
use crate::world::frame::Which;

/// The wording of a finding.
pub(crate) struct Wording {
    pub(crate) code: Code,
    /// The names that distinguish two findings with the same code.
    pub(crate) about: Vec<String>,
    pub(crate) what: String,
    pub(crate) remedy: String,
}

/// Returns the wording for an object that the version `taken` accepts and the other version
/// rejects.
pub(crate) fn wording(cause: &Cause, taken: Which) -> Wording {
    match taken {
        Which::Old => refused_now(cause),
        Which::New => taken_now(cause),
    }
}

fn wording_of(code: Code, about: &[&str], what: String, remedy: String) -> Wording {
    Wording {
        code,
        about: about.iter().map(|about| (*about).to_owned()).collect(),
        what,
        remedy,
    }
}

fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Returns the wording for an object that only the old version accepts.
fn refused_now(cause: &Cause) -> Wording {
    match cause {
        Cause::NoValue(value, field) => value_removed(value, field.as_deref()),
        Cause::OtherValue(was, is) => value_renamed(was, is),
        Cause::Closed(name) => wording_of(
            Code::ValuesClosed,
            &[name],
            format!("`{name}` takes listed values only"),
            format!("list each value that objects have, or leave `{name}` without an enum"),
        ),
        Cause::NoDiscriminator(name) => discriminator_removed(name),
        Cause::OtherDiscriminator(was, is) => discriminator_renamed(was, is),
        Cause::NoMember(field) => member_removed(field),
        Cause::OtherMember(was, is) => member_renamed(was, is),
        Cause::Discriminates(name) => discriminator_added(name),
        Cause::OtherDefault(name) => default_changed(name),
        Cause::Required(name) => wording_of(
            Code::DiscriminatorRequired,
            &[name],
            format!("`{name}` must be present now, and could be absent"),
            format!("leave `{name}` optional, or give it the default that an absent one stood for"),
        ),
        Cause::Moved(field, was, is) => member_moved(field, was, is),
        Cause::Needs(value, field) => wording_of(
            Code::MemberRequired,
            &[value, field],
            format!("`{field}` must be set with {value:?} now, and could be unset"),
            format!("leave `{field}` optional: a default inside of it says what an unset one stands for"),
        ),
        Cause::Exclusive(fields) => wording_of(
            Code::ExclusivityAdded,
            &[],
            format!("{} may not be set so any more", listed(fields)),
            "tolerate what is stored: KEP-1027's ratcheting in a webhook, or rules that look at `oldSelf`; and tell clients \
             before"
                .to_owned(),
        ),
        Cause::NoneSet(fields) => wording_of(
            Code::OneRequired,
            &[],
            format!("one of {} must be set now, and none could be", listed(fields)),
            "leave \"at most one\"; or add a member that says what none stood for, and a default".to_owned(),
        ),
        Cause::Rule(error) => wording_of(
            Code::RuleAdded,
            &[error],
            "a rule that says more than the union refuses it".to_owned(),
            "leave the rule out, or let it tolerate what is stored by `optionalOldSelf`".to_owned(),
        ),
    }
}

fn value_removed(value: &str, field: Option<&str>) -> Wording {
    let with = field.map_or(String::new(), |field| format!(" (`{field}`)"));
    wording_of(
        Code::ValueRemoved,
        &[value],
        format!("the value {value:?}{with} is gone"),
        format!(
            "keep {value:?} in the enum, and its member, until no object has it; refuse new ones by a rule that looks at \
                     `oldSelf`"
        ),
    )
}

fn discriminator_removed(name: &str) -> Wording {
    wording_of(
        Code::DiscriminatorRemoved,
        &[name],
        format!("the discriminator `{name}` is gone"),
        format!(
            "keep `{name}`; without it a server cannot tell what a client means that does not know all members"
        ),
    )
}

fn discriminator_renamed(was: &str, is: &str) -> Wording {
    wording_of(
        Code::DiscriminatorRenamed,
        &[was, is],
        format!("the discriminator `{was}` is called `{is}`"),
        format!("keep `{was}`; or make it a new version of the API with a conversion webhook"),
    )
}

fn member_removed(field: &str) -> Wording {
    wording_of(
        Code::MemberRemoved,
        &[field],
        format!("the member `{field}` is gone"),
        format!(
            "keep `{field}` in the schema until no object has it: a server drops what the schema does not describe"
        ),
    )
}

fn member_renamed(was: &str, is: &str) -> Wording {
    wording_of(
        Code::MemberRenamed,
        &[was, is],
        format!("the member `{was}` is called `{is}`"),
        format!("keep `{was}`; or make it a new version of the API with a conversion webhook"),
    )
}

fn discriminator_added(name: &str) -> Wording {
    wording_of(
        Code::DiscriminatorAdded,
        &[name],
        format!("there is a discriminator, `{name}`, where there was none"),
        format!(
            "make `{name}` optional and let it follow the members (`deduce`) while there are clients and objects without it; \
                 a default fits only the objects of one member"
        ),
    )
}

fn member_moved(field: &str, was: &str, is: &str) -> Wording {
    wording_of(
        Code::MemberMoved,
        &[field, was, is],
        format!("the member `{field}` belongs to {is:?}, and belonged to {was:?}"),
        format!("leave `{field}` with {was:?}, and give {is:?} a member of its own"),
    )
}

fn value_renamed(was: &str, is: &str) -> Wording {
    wording_of(
        Code::ValueRenamed,
        &[was, is],
        format!("the value {was:?} is called {is:?}"),
        format!("keep {was:?}; a value is part of the API, like the name of a field"),
    )
}

/// Returns the wording for an object that only the new version accepts.
fn taken_now(cause: &Cause) -> Wording {
    match cause {
        Cause::NoValue(value, field) => value_added(value, field.as_deref()),
        Cause::OtherValue(is, was) => value_renamed(was, is),
        Cause::Closed(name) => wording_of(
            Code::ValuesOpened,
            &[name],
            format!("`{name}` takes any text, and took listed values only"),
            "give clients an enum type with an `other` variant first".to_owned(),
        ),
        Cause::NoDiscriminator(name) => discriminator_added(name),
        Cause::OtherDiscriminator(is, was) => {
            discriminator_renamed(was, is)
        }
        Cause::NoMember(field) => wording_of(
            Code::MemberAdded,
            &[field],
            format!("there is one more member, `{field}`"),
            format!(
                "a discriminator tells a server that `{field}` is meant; without one, clients that do not know it drop it, and \
                 see a union with nothing set"
            ),
        ),
        Cause::OtherMember(is, was) => member_renamed(was, is),
        Cause::Discriminates(name) => discriminator_removed(name),
        Cause::OtherDefault(name) => default_changed(name),
        Cause::Required(name) => wording_of(
            Code::DiscriminatorOptional,
            &[name],
            format!("`{name}` may be absent"),
            format!("say by a default what an absent `{name}` stands for; clients read it as a field that is always there"),
        ),
        Cause::Moved(field, is, was) => {
            member_moved(field, was, is)
        }
        Cause::Needs(value, field) => wording_of(
            Code::MemberOptional,
            &[value, field],
            format!("`{field}` may be unset with {value:?}, and had to be set"),
            format!("clients that take `{field}` for granted must learn what an unset one stands for"),
        ),
        Cause::Exclusive(fields) => wording_of(
            Code::ExclusivityGivenUp,
            &[],
            format!("{} may be set so, and could not", listed(fields)),
            "bring the rule back, or tell clients which of the fields counts".to_owned(),
        ),
        Cause::NoneSet(fields) => wording_of(
            Code::NoneAllowed,
            &[],
            format!("none of {} need be set now, and one had to be", listed(fields)),
            "say what none stands for; a client's enum without a variant for it cannot read the object".to_owned(),
        ),
        Cause::Rule(error) => wording_of(
            Code::RuleRemoved,
            &[error],
            "a rule is gone that said more than the union".to_owned(),
            "bring the rule back where the old version is still served".to_owned(),
        ),
    }
}

pub(crate) fn default_changed(name: &str) -> Wording {
    wording_of(
        Code::DefaultChanged,
        &[name],
        format!("an absent `{name}` stands for something else"),
        format!(
            "leave the default as it was: clients that leave `{name}` out mean what it was; a new version of the API may have another"
        ),
    )
}

/// Returns the wording for two versions that are served together, of which the version `lacks` does
/// not have a rule of the version `has`.
pub(crate) fn rule_missing(lacks: &str, has: &str) -> Wording {
    wording_of(
        Code::RuleMissing,
        &[lacks, has],
        format!("{lacks} lacks a rule that {has} has"),
        format!(
            "write the rules of {has} into {lacks} too: what is written through {lacks} is read and changed through {has}"
        ),
    )
}

fn value_added(value: &str, field: Option<&str>) -> Wording {
    let with = field.map_or(String::new(), |field| format!(" (`{field}`)"));
    wording_of(
                Code::ValueAdded,
                &[value],
                format!("there is one more value, {value:?}{with}"),
                "give clients an enum type with an `other` variant before the value can be stored; they cannot read the object \
                 without one"
                    .to_owned(),
            )
}
