import { cpp, csharp, go, java, rust } from './compiled.ts'
import { type LanguageRules, language } from './rules.ts'
import { javascript, php, python, ruby } from './scripting.ts'

/** In these only layout and comments can change without meaning: their order matters and names reach outside the file. */
const plain = language({ names: '', strings: 'string_value string raw_string', transparent: '' })

/** Variables of a script are its own unless it exports them; what it does not set comes from outside. */
const shell = language({
  names: 'variable_name',
  functions: 'program',
  declares: { variable_assignment: 'name', for_statement: 'variable' },
  declaresInFunction: 'variable_assignment for_statement',
  strings: '',
  containers: 'program',
  movable: 'function_definition',
  transparent: '',
})

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
