import { language } from './rules.ts'

/** JavaScript, TypeScript and JSX. */
export const javascript = language({
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
  declaresMembers: {
    method_definition: 'name',
    method_signature: 'name',
    abstract_method_signature: 'name',
    property_signature: 'name',
    public_field_definition: 'name',
    field_definition: 'property',
    enum_body: 'name',
    enum_assignment: 'name',
    // `constructor(private readonly root: string)` is a parameter and a member.
    required_parameter: 'pattern',
    optional_parameter: 'pattern',
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

export const python = language({
  self: 'self cls',
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
  movableIfPure: 'module.assignment',
  imports: 'import_statement import_from_statement future_import_statement',
  strings: 'string concatenated_string',
  numbers: 'integer float',
  dropped: 'line_continuation pass_statement',
})

export const ruby = language({
  self: 'self',
  names: 'identifier constant instance_variable class_variable method_name symbol hash_key_symbol',
  memberKinds: 'method_name symbol',
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
  declaresMembers: { accessor: '*' },
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

export const php = language({
  self: '$this self static',
  names: 'name variable',
  memberAt:
    'member_access_expression.name member_call_expression.name nullsafe_member_access_expression.name nullsafe_member_call_expression.name ' +
    'scoped_call_expression.name scoped_property_access_expression.name class_constant_access_expression.member',
  argumentAt: 'argument.name',
  scopes:
    'program function_definition method_declaration anonymous_function class_declaration interface_declaration trait_declaration enum_declaration',
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
  declaresMembers: {
    method_declaration: 'name',
    property_element: 'name',
    const_element: 'name',
    enum_case: 'name',
    property_promotion_parameter: 'member',
  },
  declaresOutside: 'function_definition class_declaration interface_declaration trait_declaration enum_declaration',
  selfDeclared: 'variable',
  containers: 'program declaration_list',
  movable:
    'function_definition class_declaration interface_declaration trait_declaration enum_declaration method_declaration property_declaration const_declaration',
  imports: 'namespace_use_declaration',
  blocks: 'compound_statement',
  bodies: 'if_statement else_clause else_if_clause for_statement foreach_statement while_statement do_statement',
  strings: 'string encapsed_string',
  numbers: 'integer float',
  dropped: 'array php_tag ?>',
})
