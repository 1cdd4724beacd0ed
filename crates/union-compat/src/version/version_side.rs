//! The two sides of a comparison.

/// The old or the new version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionSide {
    Old,
    New,
}

impl VersionSide {
    pub(crate) const BOTH: [Self; 2] = [Self::Old, Self::New];

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }

    pub(crate) const fn select<T>(self, versions: [&T; 2]) -> &T {
        let [old, new] = versions;
        match self {
            Self::Old => old,
            Self::New => new,
        }
    }
}
