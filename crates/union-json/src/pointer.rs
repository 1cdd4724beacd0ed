//! Encodes and decodes the reference tokens of JSON pointers (RFC 6901), which are the parts
//! between the slashes.

use std::borrow::Cow;

/// Returns the reference token for a name: `~` becomes `~0`, and `/` becomes `~1`.
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

/// Returns the name for a reference token: the inverse of [`escape`].
#[must_use]
pub fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        // The order matters: `~01` encodes the name `~1`, so slashes are decoded before tildes.
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}
