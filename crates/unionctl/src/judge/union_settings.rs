//! The settings of unions, from flags and from the key `settings` of a line.

use clap::ValueEnum;
use serde::Deserialize;
use union_runtime::{RestoreUnaware, Settings};

/// The flags for the rules of unions.
#[derive(Debug, clap::Args)]
pub(crate) struct UnionSettingsArgs {
    /// Errors that an update may keep: those that the old object has for the same reason (the
    /// default), those in an unchanged object, or none.
    #[arg(long, value_enum)]
    ratchet: Option<Ratchet>,

    /// Restore a member that an old client dropped: never (the default), only if required, or
    /// always.
    #[arg(long, value_enum)]
    restore_unaware: Option<Restore>,
}

impl UnionSettingsArgs {
    pub(crate) fn settings(&self) -> Settings {
        Settings::default()
            .ratchet(self.ratchet.unwrap_or_default().into())
            .restore_unaware(self.restore_unaware.unwrap_or_default().into())
    }

    /// Returns the flags, and true for each that is given.
    pub(crate) const fn given_flags(&self) -> [(&'static str, bool); 2] {
        [
            ("--ratchet", self.ratchet.is_some()),
            ("--restore-unaware", self.restore_unaware.is_some()),
        ]
    }
}

/// The key `settings` of a line. Omitted settings have the values of the flags.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineUnionSettings {
    ratchet: Option<Ratchet>,
    restore_unaware: Option<Restore>,
    unions: Option<bool>,
}

impl LineUnionSettings {
    pub(crate) fn apply_to(&self, mut settings: Settings) -> Settings {
        if let Some(ratchet) = self.ratchet {
            settings = settings.ratchet(ratchet.into());
        }
        if let Some(restore) = self.restore_unaware {
            settings = settings.restore_unaware(restore.into());
        }
        if let Some(is_on) = self.unions {
            settings = settings.unions(is_on);
        }
        settings
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Ratchet {
    #[default]
    SameReason,
    Unchanged,
    Off,
}

impl From<Ratchet> for union_runtime::Ratchet {
    fn from(ratchet: Ratchet) -> Self {
        match ratchet {
            Ratchet::SameReason => Self::SameReason,
            Ratchet::Unchanged => Self::Unchanged,
            Ratchet::Off => Self::Off,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Restore {
    #[default]
    Off,
    Required,
    All,
}

impl From<Restore> for RestoreUnaware {
    fn from(restore: Restore) -> Self {
        match restore {
            Restore::Off => Self::Off,
            Restore::Required => Self::Required,
            Restore::All => Self::All,
        }
    }
}
