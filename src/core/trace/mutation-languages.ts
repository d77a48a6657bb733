/** What has to be known about a language's grammar to compare two trees of it. Words are grammar kinds and fields. */
export interface LanguageRules {
  /** Leaves that name something. */
  names: Words
  /** Names always reached through an object: `property_identifier`. */
  memberKinds: Words
  /** Names reached through an object because of where they stand, as `kind.field`. */
  memberAt: Words
  /** Names of arguments, as `kind.field`. */
  argumentAt: Words
  /** Nodes that open a scope: functions, blocks. */
  scopes: Words
  /** The scopes a function-wide declaration (`var`, any Python assignment) belongs to. */
  functions: Words
  /** Types with members. */
  classes: Words
  /** Where names are declared: kind → fields that hold the name or pattern; `*` for all children. */
  declares: Record<string, string>
  /** Of these, the name belongs to the scope around: functions and classes themselves. */
  declaresOutside: Words
  /** Of these, the name belongs to the whole function. */
  declaresInFunction: Words
  /** Names that are declared by being used: PHP's `$x`, Ruby's `@x`. */
  selfDeclared: Words
  /** Members can be used by their bare name (Java, C++, C#, Ruby). */
  bareMembers: boolean
  /** Nodes whose declarations may stand in any order. */
  containers: Words
  /** Declarations that may be moved within their container. */
  movable: Words
  /** Declarations that may be moved when nothing happens in them: constants. */
  movableIfPure: Words
  /** Nodes nothing may be moved across: `private` in Ruby, `public:` in C++. */
  barriers: Words
  /** Nodes that belong to the declaration after them: attributes, decorators. */
  attached: Words
  /** Import statements. */
  imports: Words
  /** Statement lists; the first is the kind a lone statement is wrapped in. */
  blocks: Words
  /** Statements whose body may be a lone statement. */
  bodies: Words
  strings: Words
  numbers: Words
  /** Nodes that stand for their only child: parentheses. */
  transparent: Words
  /** Tokens that are dropped besides the usual punctuation. */
  dropped: Words
}

type Words = Set<string>

const words = (text = ''): Words => new Set(text.split(/\s+/).filter(Boolean))

type Draft = { [Key in keyof LanguageRules]?: LanguageRules[Key] extends Words ? string : LanguageRules[Key] }

function language(draft: Draft): LanguageRules {
  return {
    names: words(draft.names ?? 'identifier'),
    memberKinds: words(draft.memberKinds),
    memberAt: words(draft.memberAt),
    argumentAt: words(draft.argumentAt),
    scopes: words(draft.scopes),
    functions: words(draft.functions),
    classes: words(draft.classes),
    declares: draft.declares ?? {},
    declaresOutside: words(draft.declaresOutside),
    declaresInFunction: words(draft.declaresInFunction),
    selfDeclared: words(draft.selfDeclared),
    bareMembers: draft.bareMembers ?? false,
    containers: words(draft.containers),
    movable: words(draft.movable),
    movableIfPure: words(draft.movableIfPure),
    barriers: words(draft.barriers),
    attached: words(draft.attached),
    imports: words(draft.imports),
    blocks: words(draft.blocks),
    bodies: words(draft.bodies),
    strings: words(draft.strings ?? 'string'),
    numbers: words(draft.numbers ?? 'number'),
    transparent: words(draft.transparent ?? 'parenthesized_expression'),
    dropped: words(draft.dropped),
  }
}

const javascript = language({
  names: 'identifier type_identifier property_identifier private_property_identifier statement_identifier',
  memberKinds: 'property_identifier private_property_identifier',
  scopes:
    'program function_declaration function_expression generator_function_declaration generator_function arrow_function ' +
    'method_definition method_signature function_signature abstract_method_signature function_type constructor_type ' +
    'statement_block for_statement for_in_statement catch_clause class_declaration class abstract_class_declaration ' +
    'interface_declaration type_alias_declaration switch_body call_signature class_static_block',
  functions:
    'program function_declaration function_expression generator_function_declaration generator_function arrow_function method_definition',
  classes: 'class_declaration class abstract_class_declaration interface_declaration object_type enum_declaration',
  declares: {
    function_declaration: 'name',
    generator_function_declaration: 'name',
    function_signature: 'name',
    function_expression: 'name',
    class_declaration: 'name',
    abstract_class_declaration: 'name',
    class: 'name',
    interface_declaration: 'name',
    type_alias_declaration: 'name',
    enum_declaration: 'name',
    internal_module: 'name',
    variable_declarator: 'name',
    required_parameter: 'pattern',
    optional_parameter: 'pattern',
    formal_parameters: '*',
    for_in_statement: 'left',
    catch_clause: 'parameter',
    type_parameter: 'name',
    labeled_statement: 'label',
    infer_type: '*',
    mapped_type_clause: 'name',
  },
  declaresOutside:
    'function_declaration generator_function_declaration function_signature class_declaration abstract_class_declaration ' +
    'interface_declaration type_alias_declaration enum_declaration internal_module',
  declaresInFunction: 'variable_declaration labeled_statement',
  containers: 'program class_body interface_body object_type',
  movable:
    'function_declaration generator_function_declaration function_signature class_declaration abstract_class_declaration ' +
    'interface_declaration type_alias_declaration enum_declaration method_definition method_signature property_signature ' +
    'abstract_method_signature export_clause index_signature',
  movableIfPure: 'lexical_declaration variable_declaration public_field_definition field_definition',
  attached: 'decorator',
  imports: 'import_statement',
  blocks: 'statement_block',
  bodies: 'if_statement else_clause for_statement for_in_statement while_statement do_statement',
  strings: 'string template_string',
  transparent: 'parenthesized_expression parenthesized_type',
})

const python = language({
  memberAt: 'attribute.attribute',
  argumentAt: 'keyword_argument.name',
  scopes:
    'module function_definition lambda class_definition list_comprehension set_comprehension dictionary_comprehension generator_expression',
  functions: 'module function_definition lambda class_definition',
  classes: 'class_definition',
  declares: {
    function_definition: 'name',
    class_definition: 'name',
    parameters: '*',
    lambda_parameters: '*',
    assignment: 'left',
    augmented_assignment: 'left',
    named_expression: 'name',
    for_statement: 'left',
    for_in_clause: 'left',
    as_pattern_target: '*',
    case_pattern: '*',
    global_statement: '*',
    type_alias_statement: 'left',
  },
  declaresOutside: 'function_definition class_definition',
  declaresInFunction: 'assignment augmented_assignment named_expression for_statement as_pattern_target case_pattern',
  containers: 'module class_definition.block',
  movable: 'function_definition class_definition decorated_definition',
  movableIfPure: 'assignment',
  imports: 'import_statement import_from_statement future_import_statement',
  strings: 'string concatenated_string',
  numbers: 'integer float',
  dropped: 'line_continuation pass_statement',
})

const go = language({
  names: 'identifier type_identifier field_identifier package_identifier label_name',
  memberKinds: 'field_identifier',
  scopes: 'source_file function_declaration method_declaration func_literal block if_statement for_statement expression_case default_case type_case communication_case type_switch_statement expression_switch_statement',
  functions: 'source_file function_declaration method_declaration func_literal',
  classes: 'struct_type interface_type',
  declares: {
    function_declaration: 'name',
    const_spec: 'name',
    var_spec: 'name',
    type_spec: 'name',
    type_alias: 'name',
    parameter_declaration: 'name',
    variadic_parameter_declaration: 'name',
    type_parameter_declaration: 'name',
    short_var_declaration: 'left',
    range_clause: 'left',
    type_switch_statement: 'alias',
    receive_statement: 'left',
    labeled_statement: 'label',
  },
  declaresOutside: 'function_declaration',
  declaresInFunction: 'labeled_statement',
  containers: 'source_file field_declaration_list interface_type',
  movable: 'function_declaration method_declaration type_declaration const_declaration var_declaration field_declaration method_elem',
  imports: 'import_declaration',
  strings: 'interpreted_string_literal raw_string_literal',
  numbers: 'int_literal float_literal',
  transparent: 'parenthesized_expression parenthesized_type statement_list',
})

const rust = language({
  names: 'identifier type_identifier field_identifier shorthand_field_identifier',
  memberKinds: 'field_identifier',
  memberAt: 'scoped_identifier.name scoped_type_identifier.name enum_variant.name',
  scopes: 'source_file function_item function_signature_item closure_expression block match_arm impl_item trait_item struct_item enum_item type_item mod_item for_expression if_expression while_expression',
  functions: 'source_file function_item closure_expression',
  classes: 'impl_item trait_item struct_item enum_item enum_variant',
  declares: {
    function_item: 'name',
    function_signature_item: 'name',
    struct_item: 'name',
    enum_item: 'name',
    union_item: 'name',
    trait_item: 'name',
    type_item: 'name',
    mod_item: 'name',
    const_item: 'name',
    static_item: 'name',
    macro_definition: 'name',
    parameter: 'pattern',
    closure_parameters: '*',
    let_declaration: 'pattern',
    let_condition: 'pattern',
    for_expression: 'pattern',
    match_pattern: '*',
    type_parameter: 'name',
    const_parameter: 'name',
    lifetime_parameter: '*',
  },
  declaresOutside: 'function_item function_signature_item struct_item enum_item union_item trait_item type_item mod_item const_item static_item macro_definition',
  containers: 'source_file declaration_list field_declaration_list',
  movable: 'function_item function_signature_item struct_item enum_item union_item trait_item impl_item type_item mod_item const_item static_item field_declaration associated_type extern_crate_declaration foreign_mod_item',
  attached: 'attribute_item',
  imports: 'use_declaration',
  strings: 'string_literal raw_string_literal',
  numbers: 'integer_literal float_literal',
})

const java = language({
  names: 'identifier type_identifier',
  memberAt: 'field_access.field method_invocation.name method_reference.name scoped_type_identifier.name scoped_identifier.name',
  scopes: 'program method_declaration constructor_declaration compact_constructor_declaration lambda_expression block constructor_body for_statement enhanced_for_statement catch_clause class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration try_with_resources_statement switch_block_statement_group switch_rule',
  functions: 'program method_declaration constructor_declaration lambda_expression',
  classes: 'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
  declares: {
    class_declaration: 'name',
    interface_declaration: 'name',
    enum_declaration: 'name',
    record_declaration: 'name',
    annotation_type_declaration: 'name',
    variable_declarator: 'name',
    formal_parameter: 'name',
    catch_formal_parameter: 'name',
    enhanced_for_statement: 'name',
    resource: 'name',
    type_parameter: '*',
    inferred_parameters: '*',
    lambda_expression: 'parameters',
    type_pattern: '*',
    instanceof_expression: 'name',
    labeled_statement: '*',
  },
  declaresOutside: 'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
  bareMembers: true,
  containers: 'program class_body interface_body enum_body_declarations annotation_type_body',
  movable: 'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration method_declaration constructor_declaration',
  movableIfPure: 'field_declaration constant_declaration',
  imports: 'import_declaration',
  blocks: 'block',
  bodies: 'if_statement for_statement enhanced_for_statement while_statement do_statement',
  strings: 'string_literal',
  numbers: 'decimal_integer_literal hex_integer_literal decimal_floating_point_literal octal_integer_literal binary_integer_literal',
})

const cpp = language({
  names: 'identifier type_identifier field_identifier namespace_identifier statement_identifier',
  memberKinds: 'field_identifier',
  memberAt: 'qualified_identifier.name',
  scopes: 'translation_unit function_definition lambda_expression compound_statement for_statement for_range_loop catch_clause class_specifier struct_specifier namespace_definition template_declaration function_declarator preproc_function_def if_statement',
  functions: 'translation_unit function_definition lambda_expression',
  classes: 'class_specifier struct_specifier union_specifier enum_specifier',
  declares: {
    class_specifier: 'name',
    struct_specifier: 'name',
    union_specifier: 'name',
    enum_specifier: 'name',
    namespace_definition: 'name',
    function_definition: 'declarator',
    declaration: 'declarator',
    parameter_declaration: 'declarator',
    optional_parameter_declaration: 'declarator',
    for_range_loop: 'declarator',
    type_definition: 'declarator',
    alias_declaration: 'name',
    preproc_def: 'name',
    preproc_function_def: 'name',
    preproc_params: '*',
    type_parameter_declaration: '*',
    enumerator: 'name',
    labeled_statement: 'label',
    structured_binding_declarator: '*',
  },
  declaresOutside: 'function_definition class_specifier struct_specifier union_specifier enum_specifier namespace_definition preproc_function_def',
  declaresInFunction: 'labeled_statement',
  bareMembers: true,
  containers: 'translation_unit declaration_list field_declaration_list class_specifier.field_declaration_list',
  movable: 'function_definition template_declaration class_specifier struct_specifier type_definition alias_declaration enum_specifier function_prototype',
  movableIfPure: 'declaration',
  barriers: 'access_specifier',
  imports: 'preproc_include',
  blocks: 'compound_statement',
  bodies: 'if_statement else_clause for_statement for_range_loop while_statement do_statement',
  strings: 'string_literal raw_string_literal concatenated_string',
  numbers: 'number_literal',
  transparent: 'parenthesized_expression condition_clause',
})

const ruby = language({
  names: 'identifier constant instance_variable class_variable global_variable simple_symbol hash_key_symbol',
  memberAt: 'scope_resolution.name',
  argumentAt: 'pair.key',
  scopes: 'program method singleton_method block lambda class module singleton_class',
  functions: 'program method singleton_method',
  classes: 'class module singleton_class',
  declares: {
    method: 'name',
    singleton_method: 'name',
    class: 'name',
    module: 'name',
    method_parameters: '*',
    block_parameters: '*',
    lambda_parameters: '*',
    assignment: 'left',
    operator_assignment: 'left',
    for: 'pattern',
    exception_variable: '*',
  },
  declaresOutside: 'method singleton_method class module',
  declaresInFunction: 'assignment operator_assignment for exception_variable',
  selfDeclared: 'instance_variable class_variable',
  bareMembers: true,
  containers: 'program class.body_statement module.body_statement',
  movable: 'method singleton_method class module accessor',
  movableIfPure: 'assignment',
  barriers: 'visibility',
  imports: 'require',
  strings: 'string',
  numbers: 'integer float',
  transparent: 'parenthesized_statements',
  dropped: 'do end then',
})

const php = language({
  names: 'name variable',
  memberAt:
    'member_access_expression.name member_call_expression.name nullsafe_member_access_expression.name nullsafe_member_call_expression.name ' +
    'scoped_call_expression.name scoped_property_access_expression.name class_constant_access_expression.member',
  argumentAt: 'argument.name',
  scopes: 'program function_definition method_declaration anonymous_function class_declaration interface_declaration trait_declaration enum_declaration',
  functions: 'program function_definition method_declaration anonymous_function',
  classes: 'class_declaration interface_declaration trait_declaration enum_declaration',
  declares: {
    function_definition: 'name',
    class_declaration: 'name',
    interface_declaration: 'name',
    trait_declaration: 'name',
    enum_declaration: 'name',
    const_element: 'name',
  },
  declaresOutside: 'function_definition class_declaration interface_declaration trait_declaration enum_declaration',
  selfDeclared: 'variable',
  containers: 'program declaration_list',
  movable: 'function_definition class_declaration interface_declaration trait_declaration enum_declaration method_declaration property_declaration const_declaration',
  imports: 'namespace_use_declaration',
  blocks: 'compound_statement',
  bodies: 'if_statement else_clause else_if_clause for_statement foreach_statement while_statement do_statement',
  strings: 'string encapsed_string',
  numbers: 'integer float',
  dropped: 'array php_tag ?>',
})

const csharp = language({
  memberAt: 'member_access_expression.name qualified_name.name',
  argumentAt: 'argument.name',
  scopes: 'compilation_unit method_declaration constructor_declaration local_function_statement lambda_expression block for_statement foreach_statement catch_clause using_statement class_declaration struct_declaration interface_declaration record_declaration namespace_declaration accessor_declaration',
  functions: 'compilation_unit method_declaration constructor_declaration local_function_statement lambda_expression',
  classes: 'class_declaration struct_declaration interface_declaration record_declaration enum_declaration',
  declares: {
    class_declaration: 'name',
    struct_declaration: 'name',
    interface_declaration: 'name',
    record_declaration: 'name',
    enum_declaration: 'name',
    local_function_statement: 'name',
    variable_declarator: 'name',
    parameter: 'name',
    foreach_statement: 'left',
    catch_declaration: 'name',
    type_parameter: 'name',
    implicit_parameter: '*',
    declaration_expression: 'name',
    declaration_pattern: 'name',
  },
  declaresOutside: 'class_declaration struct_declaration interface_declaration record_declaration enum_declaration local_function_statement',
  bareMembers: true,
  containers: 'compilation_unit declaration_list namespace_declaration file_scoped_namespace_declaration',
  movable: 'class_declaration struct_declaration interface_declaration record_declaration enum_declaration method_declaration constructor_declaration property_declaration delegate_declaration',
  movableIfPure: 'field_declaration',
  imports: 'using_directive',
  blocks: 'block',
  bodies: 'if_statement else_clause for_statement foreach_statement while_statement do_statement',
  strings: 'string_literal verbatim_string_literal raw_string_literal',
  numbers: 'integer_literal real_literal',
})

/** In these only layout and comments can change without meaning: their order matters and names reach outside the file. */
const plain = language({ names: '', strings: 'string_value string raw_string', transparent: '' })

const shell = language({ names: '', strings: '', containers: 'program', movable: 'function_definition', transparent: '' })

/** The languages whose syntax trees can be compared, by the name of their grammar. */
export const languages: Record<string, LanguageRules> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python,
  go,
  rust,
  java,
  cpp,
  ruby,
  php,
  'c-sharp': csharp,
  css: plain,
  ini: plain,
  bash: shell,
}
