//! The page has the files of the sample repository.

use std::fs;

use crate::repository::root;

#[test]
fn the_page_has_the_files_of_the_sample() {
    let sample = root().join("examples/reviews");
    let page = fs::read_to_string(sample.join("README.md")).unwrap();
    let blocks: Vec<&str> = page
        .split("```yaml\n")
        .skip(1)
        .map(|block| block.split_once("```").unwrap().0)
        .collect();
    let files = [".pre-commit-config.yaml", ".github/workflows/review.yml"];
    let files = files.map(|file| fs::read_to_string(sample.join(file)).unwrap());
    assert_eq!(blocks, files);
}

#[test]
fn the_page_has_each_hook_and_each_input() {
    let page = fs::read_to_string(root().join("examples/reviews/README.md")).unwrap();
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let hooks = read(".pre-commit-hooks.yaml");
    let ids: Vec<&str> = hooks
        .lines()
        .filter_map(|line| line.strip_prefix("- id: "))
        .collect();
    assert_eq!(ids.len(), 5);
    let action = read("action.yml");
    let (inputs, _) = action.split_once("\nruns:").unwrap();
    let inputs: Vec<&str> = inputs
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|name| !name.starts_with(' '))
        .collect();
    assert_eq!(inputs.len(), 6, "{inputs:?}");
    for name in ids.iter().chain(&inputs) {
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}
