//! No code: the manifest of this package switches features on.
