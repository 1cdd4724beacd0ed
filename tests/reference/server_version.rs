//! The option `--server VERSION` of the programs that compare our results with a server's code.

use std::error::Error;

use k8s_cel::KubeVersion;

/// Removes `--server VERSION` from the arguments, and returns the version: the version of the
/// modules with which the reference is built. The default is the latest version.
pub(crate) fn take(arguments: &mut Vec<String>) -> Result<KubeVersion, Box<dyn Error>> {
    let Some(option) = arguments.iter().position(|each| each == "--server") else {
        return Ok(KubeVersion::LATEST);
    };
    arguments.remove(option);
    if option == arguments.len() {
        return Err("--server VERSION needs a version".into());
    }
    Ok(arguments.remove(option).parse()?)
}
