//! Reference tokens of JSON pointers (RFC 6901): the names and indices between the slashes.

use std::borrow::Cow;

/// Returns a name as a token of a JSON pointer: `~` is `~0`, and `/` is `~1`.
///
/// ```
/// use union_json::pointer::escape;
///
/// let pointer = format!("/metadata/annotations/{}", escape("a/b~c"));
/// assert_eq!(pointer, "/metadata/annotations/a~1b~0c");
/// ```
#[must_use]
pub fn escape(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        name.replace('~', "~0").replace('/', "~1").into()
    } else {
        name.into()
    }
}

/// Returns the name that a token of a JSON pointer encodes.
#[must_use]
pub fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        // `~01` is `~1`: first the slashes, then the tildes.
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}
