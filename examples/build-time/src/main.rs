//! Prints the paths of the files that the build script wrote: `cargo run --bin union-build-time`.

use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("OUT_DIR"));
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    for file in files {
        println!("{}", file.display());
    }
    Ok(())
}
