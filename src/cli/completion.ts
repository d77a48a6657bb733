import type { Command, Option } from 'commander'

/** Completion scripts, made from the commands themselves. They hold every name, so completing starts no process. */

interface Word {
  word: string
  about: string
}

interface Branch {
  /** The words that lead here: `grove intent add`. */
  path: string[]
  /** What may stand next: commands, choices of an argument, options. */
  next: Word[]
}

function branches(command: Command, path: string[] = [command.name()]): Branch[] {
  const help = command.createHelp()
  const visible = help.visibleCommands(command)
  const options = help.visibleOptions(command).flatMap(optionWords)
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, about: description })),
  )
  const names = visible.map((child) => ({ word: child.name(), about: child.summary() || child.description() }))
  const deeper = visible
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => branches(child, [...path, child.name()]))
  return [{ path, next: [...names, ...choices, ...options] }, ...deeper]
}

function optionWords({ long, short, description }: Option): Word[] {
  return [long, short].flatMap((word) => (word ? [{ word, about: description }] : []))
}

/** For bash: one case per command, chosen by the words before the cursor that are no options. */
export function bashScript(program: Command): string {
  const all = branches(program)
  const cases = all.map(
    ({ path, next }) => `    ${quote(path.join(' '))}) words=${quote(next.map(({ word }) => word).join(' '))} ;;`,
  )
  return `# bash completion for grove
_grove() {
  local current=\${COMP_WORDS[COMP_CWORD]} path=grove words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${all
        .slice(1)
        .map(({ path }) => quote(path.join(' ')))
        .join(' | ')}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _grove grove`
}

/** For zsh, sourced or in a folder of $fpath. */
export function zshScript(program: Command): string {
  const all = branches(program)
  const cases = all.map(({ path, next }) => {
    const words = next.map(({ word, about }) => quote(`${word}:${about.replaceAll(':', '\\:')}`))
    return `    ${quote(path.join(' '))}) next=(${words.join(' ')}) ;;`
  })
  return `#compdef grove
_grove() {
  local path_so_far=grove word
  local -a next
  for word in \${words[2,CURRENT-1]}; do
    case "$path_so_far $word" in
      ${all
        .slice(1)
        .map(({ path }) => quote(path.join(' ')))
        .join(' | ')}) path_so_far="$path_so_far $word" ;;
    esac
  done
  case "$path_so_far" in
${cases.join('\n')}
  esac
  _describe 'grove' next || _files
}
if [ "$funcstack[1]" = _grove ]; then _grove "$@"; else compdef _grove grove; fi`
}

/** For fish. */
export function fishScript(program: Command): string {
  const lines = branches(program).flatMap(({ path, next }) => {
    const [, ...words] = path
    const here = words.length === 0 ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${words.at(-1)}`
    return next.map(({ word, about }) => `complete -c grove -f -n ${quote(here)} ${fishWord(word)} -d ${quote(about)}`)
  })
  return ['# fish completion for grove', ...lines].join('\n')
}

function fishWord(word: string): string {
  if (word.startsWith('--')) return `-l ${word.slice(2)}`
  return word.startsWith('-') ? `-s ${word.slice(1)}` : `-a ${quote(word)}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
