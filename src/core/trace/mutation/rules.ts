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
  /** Members declared in the body of a type: kind → fields. */
  declaresMembers: Record<string, string>
  /** Of these, the name belongs to the scope around: functions and classes themselves. */
  declaresOutside: Words
  /** Of these, the name belongs to the whole function. */
  declaresInFunction: Words
  /** What an object calls itself. */
  self: Words
  /** Names that are declared by being used: PHP's `$x`, Ruby's `@x`. */
  selfDeclared: Words
  /** Members can be used by their bare name (Java, C++, C#, Ruby). */
  bareMembers: boolean
  /** Nodes whose declarations may stand in any order. */
  containers: Words
  /** Declarations that may be moved within their container. */
  movable: Words
  /** Declarations that may be moved when nothing happens in them: constants; `parent.kind` where that matters. */
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

/** Rules from a draft; what is left out is empty. */
export function language(draft: Draft): LanguageRules {
  return {
    names: words(draft.names ?? 'identifier'),
    memberKinds: words(draft.memberKinds),
    memberAt: words(draft.memberAt),
    argumentAt: words(draft.argumentAt),
    scopes: words(draft.scopes),
    functions: words(draft.functions),
    classes: words(draft.classes),
    declares: draft.declares ?? {},
    declaresMembers: draft.declaresMembers ?? {},
    declaresOutside: words(draft.declaresOutside),
    declaresInFunction: words(draft.declaresInFunction),
    self: words(draft.self ?? 'this'),
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
