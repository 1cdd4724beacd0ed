//! Implements `Node` and `NodeMut` for JSON objects.

use serde_json::{Map, Value};

use crate::walk::compiled_node::CompiledNode;
use k8s_json_internals::deep;
use union_runtime::MemberSpec;
use union_runtime::UnionSpec;
use union_runtime::spec::OwnedUnionSpec;
use union_runtime::spec::State;
use union_runtime::spec::{Node, NodeMut};

/// A JSON object, and the compiled node with its unions.
#[derive(Clone, Copy)]
pub(crate) struct ObjectNode<'a> {
    pub(crate) compiled: &'a CompiledNode,
    pub(crate) object: &'a Map<String, Value>,
}

impl Node for ObjectNode<'_> {
    fn union_count(&self) -> usize {
        self.compiled.unions.len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        self.compiled.unions.get(union).map(OwnedUnionSpec::spec)
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        self.compiled.state(union, self.object)
    }
}

/// A mutable JSON object, the compiled node with its unions, and the old object.
pub(crate) struct ObjectNodeMut<'a> {
    pub(crate) compiled: &'a CompiledNode,
    pub(crate) new: &'a mut Map<String, Value>,
    pub(crate) old: Option<ObjectNode<'a>>,
}

impl ObjectNodeMut<'_> {
    fn member(&self, union: usize, member: usize) -> Option<MemberSpec<'_>> {
        self.compiled.unions.get(union)?.spec().member(member)
    }
}

impl Node for ObjectNodeMut<'_> {
    fn union_count(&self) -> usize {
        self.compiled.unions.len()
    }

    fn spec(&self, union: usize) -> Option<UnionSpec<'_>> {
        self.compiled.unions.get(union).map(OwnedUnionSpec::spec)
    }

    fn state(&self, union: usize) -> Option<State<'_>> {
        self.compiled.state(union, self.new)
    }
}

impl NodeMut for ObjectNodeMut<'_> {
    fn node(&self) -> &dyn Node {
        self
    }

    fn old(&self) -> Option<&dyn Node> {
        self.old.as_ref().map(|old| -> &dyn Node { old })
    }

    fn clear(&mut self, union: usize, member: usize) -> bool {
        let unions = &self.compiled.unions;
        let spec = unions.get(union).map(OwnedUnionSpec::spec);
        let member = spec.and_then(|spec| spec.member(member));
        let Some(member) = member.filter(|member| self.new.contains_key(member.name())) else {
            return false;
        };
        deep::remove(self.new, member.name());
        true
    }

    fn select(&mut self, union: usize, member: usize) {
        let unions = &self.compiled.unions;
        let Some(spec) = unions.get(union).map(OwnedUnionSpec::spec) else {
            return;
        };
        if let (Some(discriminator), Some(member)) = (spec.discriminator(), spec.member(member)) {
            deep::insert(self.new, discriminator.name(), member.value().into());
        }
    }

    fn restore(&mut self, union: usize, member: usize) -> bool {
        let old_member = self
            .old
            .zip(self.member(union, member))
            .and_then(|(old, member)| {
                let value = old.object.get(member.name())?;
                Some((member.name().to_owned(), deep::copy(value)))
            });
        let Some((name, value)) = old_member else {
            return false;
        };
        deep::insert(self.new, &name, value);
        true
    }

    fn clear_unknown(&mut self, value: &str) -> Vec<String> {
        let keys = self.new.keys();
        let keys = keys.filter(|key| key.eq_ignore_ascii_case(value));
        let mut unknown_keys: Vec<String> = keys
            .filter(|key| self.compiled.is_unknown_field(key))
            .cloned()
            .collect();
        // The order of keys in an object depends on a feature of `serde_json`, so the result is
        // sorted.
        unknown_keys.sort();
        for key in &unknown_keys {
            deep::remove(self.new, key);
        }
        unknown_keys
    }
}
