//! Checks an expression against declared types, prints its maximum cost, and evaluates it.
//!
//! ```sh
//! cargo run -p k8s-cel --example expression -- "self.replicas <= size(self.hosts)"
//! ```

use std::error::Error;

use k8s_cel::cost::{PER_CALL_LIMIT, STATIC_ESTIMATED_COST_LIMIT};
use k8s_cel::{Binding, DeclaredType, DeclaredTypes, Environment, Evaluator};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1);
    let source = argument.as_deref();
    let source = source.unwrap_or("self.hosts.all(host, host.endsWith(self.domain))");

    // The declared types of a schema. Their limits keep the estimated cost of the expression small.
    let host = DeclaredType::string().max_size(63);
    let types = DeclaredType::object([
        ("replicas", DeclaredType::int()),
        ("domain", host.clone()),
        ("hosts", DeclaredType::list(host).max_size(10)),
    ])
    .required(["domain"])
    .build()?;

    let program = match Environment::new(&types, DeclaredTypes::ROOT).compile(source) {
        Ok(program) => program,
        Err(error) => {
            println!("{error}");
            return Ok(());
        }
    };
    println!("{source}");
    println!("is of type {}", program.ty());
    println!(
        "costs at worst {} of {STATIC_ESTIMATED_COST_LIMIT}",
        program.max_cost()
    );

    let object = json!({"replicas": 2, "domain": ".example.com", "hosts": ["a.example.com", "b.example.com"]});
    let self_binding = Binding::new(&types, &object, DeclaredTypes::ROOT);
    let mut evaluator = Evaluator::new(&types);
    let evaluation = evaluator.run(&program, &self_binding, None, PER_CALL_LIMIT);
    let value = evaluation.result?;
    match value.to_json() {
        Some(json) => println!("is {json}"),
        None => println!("is a {}, which has no JSON form", value.type_name()),
    }
    println!("cost {}", evaluation.cost);
    Ok(())
}
