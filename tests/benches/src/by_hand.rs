//! The validation that a careful author writes without a derive: a fast path that tests four fields
//! with `is_some`, and a slow path that writes the messages for invalid objects.
//!
//! The public functions are never inlined, like the functions of [`derived`](crate::derived). So
//! the benches compare one call with one call, independently of the decisions of the inliner.

use std::fmt;

use crate::{Check, CheckType};

/// An error of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The path of the field.
    pub path: String,
    /// The message: the violated rule, and a hint for the user.
    pub detail: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: Invalid value: \"\": {}", self.path, self.detail)
    }
}

/// The errors of a rejected update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpdateError {
    /// The new errors, which make the server reject the update.
    pub errors: Vec<FieldError>,
    /// The tolerated errors, which the old object has for the same reason.
    pub tolerated: Vec<FieldError>,
}

/// Validates a new object.
///
/// # Errors
///
/// Returns all errors of the object.
#[inline(never)]
pub fn validate(check: &Check) -> Result<(), Vec<FieldError>> {
    if is_valid(check) {
        return Ok(());
    }
    Err(find_errors(check, None).errors)
}

/// Validates a new object like [`validate`], with a `match` on the discriminator in the fast path.
///
/// # Errors
///
/// Returns all errors of the object.
#[inline(never)]
pub fn validate_by_match(check: &Check) -> Result<(), Vec<FieldError>> {
    if is_valid_by_match(check) {
        return Ok(());
    }
    Err(find_errors(check, None).errors)
}

/// Validates an update. Returns the tolerated errors, which `old` has for the same reason.
///
/// # Errors
///
/// Returns the new errors and the tolerated errors if there is a new error.
#[inline(never)]
pub fn validate_update(new: &Check, old: &Check) -> Result<Vec<FieldError>, UpdateError> {
    if is_valid(new) {
        return Ok(Vec::new());
    }
    let update_error = find_errors(new, Some(old));
    if update_error.errors.is_empty() {
        Ok(update_error.tolerated)
    } else {
        Err(update_error)
    }
}

/// Clears the members that a changed discriminator left behind, and returns their paths.
#[inline(never)]
pub fn normalize(new: &mut Check, old: Option<&Check>) -> Vec<String> {
    let mut cleared = Vec::new();
    match old {
        Some(old) if old.r#type != new.r#type => {
            let selected_type = new.r#type;
            clear(
                &mut new.exec,
                selected_type == CheckType::Exec,
                "exec",
                &mut cleared,
            );
            clear(
                &mut new.http_get,
                selected_type == CheckType::HttpGet,
                "httpGet",
                &mut cleared,
            );
            clear(
                &mut new.port,
                selected_type == CheckType::Port,
                "port",
                &mut cleared,
            );
            clear(
                &mut new.grpc,
                selected_type == CheckType::Grpc,
                "grpc",
                &mut cleared,
            );
        }
        _ => {}
    }
    cleared
}

/// Clears a member that is not selected, and adds its name to `cleared`.
fn clear<T>(member: &mut Option<T>, is_selected: bool, name: &str, cleared: &mut Vec<String>) {
    if !is_selected && member.take().is_some() {
        cleared.push(name.to_owned());
    }
}

/// Returns true if the object is valid: each member is set iff the discriminator selects it, but
/// the optional member may be unset.
#[inline]
fn is_valid(check: &Check) -> bool {
    let selected_type = check.r#type;
    check.exec.is_some() == (selected_type == CheckType::Exec)
        && check.http_get.is_some() == (selected_type == CheckType::HttpGet)
        && check.port.is_some() == (selected_type == CheckType::Port)
        && (check.grpc.is_none() || selected_type == CheckType::Grpc)
}

/// Returns the same as `is_valid`, in the form that most authors write first. The `match` compiles
/// to jumps, while `is_valid` compiles to arithmetic.
#[inline]
fn is_valid_by_match(check: &Check) -> bool {
    let Check {
        exec,
        http_get,
        port,
        grpc,
        ..
    } = check;
    match check.r#type {
        CheckType::Exec => exec.is_some() && http_get.is_none() && port.is_none() && grpc.is_none(),
        CheckType::HttpGet => {
            exec.is_none() && http_get.is_some() && port.is_none() && grpc.is_none()
        }
        CheckType::Port => exec.is_none() && http_get.is_none() && port.is_some() && grpc.is_none(),
        CheckType::Grpc => exec.is_none() && http_get.is_none() && port.is_none(),
        CheckType::Always => {
            exec.is_none() && http_get.is_none() && port.is_none() && grpc.is_none()
        }
    }
}

/// The facts of a member that the messages depend on.
struct Member {
    name: &'static str,
    selected_by: CheckType,
    is_set: bool,
    is_optional: bool,
}

fn members(check: &Check) -> [Member; 4] {
    let member = |name, selected_by, is_set, is_optional| Member {
        name,
        selected_by,
        is_set,
        is_optional,
    };
    [
        member("exec", CheckType::Exec, check.exec.is_some(), false),
        member(
            "httpGet",
            CheckType::HttpGet,
            check.http_get.is_some(),
            false,
        ),
        member("port", CheckType::Port, check.port.is_some(), false),
        member("grpc", CheckType::Grpc, check.grpc.is_some(), true),
    ]
}

/// Returns the errors of an invalid object with their messages.
#[cold]
fn find_errors(new: &Check, old: Option<&Check>) -> UpdateError {
    let mut update_error = UpdateError {
        errors: Vec::new(),
        tolerated: Vec::new(),
    };
    let selected_type = new.r#type;
    let is_type_unchanged = old.is_some_and(|old| old.r#type == selected_type);
    let members_of_new = members(new);
    let has_several_members = members_of_new.iter().filter(|member| member.is_set).count() > 1;
    let members_of_old = old.map(members);
    for (i, member) in members_of_new.iter().enumerate() {
        let Member {
            name, selected_by, ..
        } = member;
        let is_selected = *selected_by == selected_type;
        let detail = if member.is_set && !is_selected && is_type_unchanged && has_several_members {
            format!(
                "may only be specified when `type` is \"{selected_by}\": several members are set and `type` is still \"{selected_type}\"; \
                 a client that changes members must change `type` too: set it to \"{selected_by}\", or remove `{name}`"
            )
        } else if member.is_set && !is_selected {
            format!(
                "may only be specified when `type` is \"{selected_by}\": `type` is \"{selected_type}\"; remove `{name}`, or set `type` to \"{selected_by}\""
            )
        } else if !member.is_set && is_selected && !member.is_optional {
            format!(
                "must be specified when `type` is \"{selected_by}\": add `{name}`, or change `type`"
            )
        } else {
            continue;
        };
        let error = FieldError {
            path: (*name).to_owned(),
            detail,
        };
        let is_tolerated = is_type_unchanged
            && members_of_old
                .as_ref()
                .is_some_and(|old| old[i].is_set == member.is_set);
        if is_tolerated {
            update_error.tolerated.push(error);
        } else {
            update_error.errors.push(error);
        }
    }
    update_error
}
