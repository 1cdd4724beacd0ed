//! Lists the unions of a small CRD, and its missing rules.

use crd_unions::AnalyzedObject;
use serde_json::json;

fn main() -> Result<(), crd_unions::AnalyzeError> {
    let route = json!({
        "type": "object",
        "properties": {"filters": {"type": "array", "maxItems": 16, "items": {
            "type": "object",
            "required": ["type"],
            "properties": {
                "type": {"type": "string", "enum": ["Redirect", "Rewrite", "Mirror", "None"]},
                "redirect": {"type": "object"},
                "rewrite": {"type": "object"},
                "mirror": {"type": "object", "properties": {
                    "percent": {"type": "integer"},
                    "fraction": {"type": "string"},
                }, "x-kubernetes-validations": [{"rule": "!(has(self.percent) && has(self.fraction))"}]},
            },
            "x-kubernetes-validations": [
                {"rule": "self.type == 'Redirect' ? has(self.redirect) : !has(self.redirect)"},
                {"rule": "!(has(self.rewrite) && self.type != 'Rewrite')"},
                {"rule": "!(!has(self.rewrite) && self.type == 'Rewrite')"},
                {"rule": "self.type == 'Mirror' ? has(self.mirror) : true"},
            ],
        }}},
    });
    let crd = json!({"spec": {"names": {"kind": "Route"}, "versions": [
        {"name": "v1", "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": route}}}},
    ]}});
    for version in crd_unions::analyze_crd(&crd)? {
        println!("{} {}", version.kind, version.name);
        version.objects.iter().for_each(print_object);
    }
    Ok(())
}

fn print_object(object: &AnalyzedObject) {
    let path = &object.path;
    for union in &object.analysis.unions {
        let model = match &union.discriminator {
            Some(discriminator) => format!("by `{}`", discriminator.name),
            None => union.arity_name().to_owned(),
        };
        let members: Vec<&str> = union.members.iter().map(|member| &*member.name).collect();
        let exact = if union.exact { "exact" } else { "sound" };
        println!("  {path}: {model}, {exact}: {}", members.join(", "));
    }
    for finding in &object.analysis.findings {
        let fields: Vec<&str> = finding.fields.iter().map(AsRef::as_ref).collect();
        println!("  {path}: {}: {}", finding.code.as_str(), fields.join(", "));
        if let Some(example) = &finding.object {
            let result = if finding.accepted {
                "accepted"
            } else {
                "rejected"
            };
            println!("    {example} is {result}");
        }
        println!("    {}", finding.remedy);
    }
}
