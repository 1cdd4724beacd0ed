const _: () = {
    use ::union_runtime::__private::ProbeDefaults as _;
    #[allow(deprecated, reason = "a derive does not use the type")]
    type Asked = Choice;
    <::union_runtime::__private::Probe<Asked>>::SCHEMA_WITHOUT_UNION
};
