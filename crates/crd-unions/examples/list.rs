//! Lists the unions of a small CRD, and the holes in its rules.

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
        for place in &version.objects {
            for union in &place.analysis.unions {
                let by = union.discriminator.as_ref();
                let by = by.map_or_else(
                    || union.arity_name().to_owned(),
                    |by| format!("by `{}`", by.name),
                );
                let members: Vec<&str> = union.members.iter().map(|member| &*member.name).collect();
                let exact = if union.exact { "exact" } else { "sound" };
                println!("  {}: {by}, {exact}: {}", place.path, members.join(", "));
            }
            for finding in &place.analysis.findings {
                let fields: Vec<&str> = finding.fields.iter().map(AsRef::as_ref).collect();
                let (code, fields) = (finding.code.as_str(), fields.join(", "));
                println!("  {}: {code}: {fields}", place.path);
                if let Some(object) = &finding.object {
                    println!(
                        "    {object} is {}",
                        if finding.accepted {
                            "accepted"
                        } else {
                            "refused"
                        }
                    );
                }
                println!("    {}", finding.remedy);
            }
        }
    }
    Ok(())
}
