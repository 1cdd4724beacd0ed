//! The format `uri`: an absolute URI or an absolute path, as Go parses it from a request.

use k8s_go_text::net::url;

pub(super) fn is_uri(text: &str) -> bool {
    url::is_request_uri(text)
}
