//! What the README shows is what the tool prints.

use std::path::Path;

use crate::process::{source, unionctl};

#[test]
fn the_commands_of_the_readme_print_what_it_says() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let (_, section) = readme
        .split_once("## On the command line")
        .expect("the section");
    let (section, _) = section.split_once("\n## ").expect("the next section");
    let blocks = section.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").unwrap().0);
    let mut count = 0;
    let sessions = blocks.flat_map(|block| block.split("$ "));
    for session in sessions.filter(|session| !session.is_empty()) {
        let (command, expected) = session.split_once('\n').unwrap();
        let args = command.strip_prefix("unionctl ").expect("it is the tool");
        let (args, file) = match args.split_once(" < ") {
            Some((args, file)) => (args, Some(file)),
            None => (args, None),
        };
        let samples = source().join("samples");
        let mut tool = unionctl(args.split(' '));
        if let Some(file) = file {
            tool.stdin(std::fs::File::open(samples.join(file)).unwrap());
        }
        let output = tool.current_dir(samples).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed.trim_end(), expected.trim_end(), "{command}");
        count += 1;
    }
    assert_eq!(count, 6);
}
