const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    #[allow(deprecated, reason = "a derive does not use the type")]
    type Derived = Choice;
    <::union_runtime::__private::Probe<Derived>>::SCHEMA_WITHOUT_UNION
};
