import type { Command, Option } from 'commander'
import { singleQuoted as quote } from '#protocol/shell-word.ts'

/** Completion scripts, made from the commands themselves. They hold every name, so completing starts no process. */

interface Word {
  word: string
  about: string
}

interface Branch {
  /** The words that lead here: `grove intent add`. */
  path: string
  /** What may stand next: commands, choices of an argument, options. */
  next: Word[]
  /** Options that take a value, with the known values; without any, a file or free text. */
  values: { option: string; choices: string[] }[]
  /** Whether something else may stand here too, such as a file. */
  isOpen: boolean
}

function branches(command: Command, path = command.name()): Branch[] {
  const help = command.createHelp()
  const visible = help.visibleCommands(command)
  const options = help.visibleOptions(command)
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, about: description })),
  )
  const names = visible.map((child) => ({ word: child.name(), about: child.summary() || child.description() }))
  const values = options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ long, short, argChoices = [] }) =>
      [long, short].flatMap((option) => (option ? [{ option, choices: argChoices }] : [])),
    )
  const isOpen = command.registeredArguments.some(({ argChoices }) => !argChoices)
  const deeper = visible
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => branches(child, `${path} ${child.name()}`))
  return [{ path, next: [...names, ...choices, ...options.flatMap(optionWords)], values, isOpen }, ...deeper]
}

function optionWords({ long, short, description }: Option): Word[] {
  return [long, short].flatMap((word) => (word ? [{ word, about: description }] : []))
}

/** Every place where the word before the cursor wants a value: `grove init --transport`. */
function valuePlaces(all: Branch[]): { place: string; choices: string[] }[] {
  return all.flatMap(({ path, values }) =>
    values.map(({ option, choices }) => ({ place: `${path} ${option}`, choices })),
  )
}

/** For bash: one case per command, chosen by the words before the cursor that are no options. */
export function bashScript(program: Command): string {
  const all = branches(program)
  return `# bash completion for grove
_grove() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path=grove words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${alternatives(all)}) path="$path $word" ;;
    esac
  done
  case "$path $before" in
${valuePlaces(all)
  .map(({ place, choices }) => `    ${quote(place)}) words=${quote(choices.join(' '))} ;;`)
  .join('\n')}
    *) case "$path" in
${all.map(({ path, next }) => `      ${quote(path)}) words=${quote(next.map(({ word }) => word).join(' '))} ;;`).join('\n')}
    esac ;;
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
    return `      ${quote(path)}) next=(${words.join(' ')}) ;;`
  })
  return `#compdef grove
_grove() {
  local path_so_far=grove word
  local -a next
  for word in \${words[2,CURRENT-1]}; do
    case "$path_so_far $word" in
      ${alternatives(all)}) path_so_far="$path_so_far $word" ;;
    esac
  done
  case "$path_so_far \${words[CURRENT-1]}" in
${valuePlaces(all)
  .map(({ place, choices }) => `    ${quote(place)}) next=(${choices.map(quote).join(' ')}) ;;`)
  .join('\n')}
    *) case "$path_so_far" in
${cases.join('\n')}
    esac ;;
  esac
  if (( $#next )); then _describe 'grove' next || _files; else _files; fi
}
if [ "$funcstack[1]" = _grove ]; then _grove "$@"; else compdef _grove grove; fi`
}

/** For fish: what stands next depends on all the words before, because several commands have a \`list\`. */
export function fishScript(program: Command): string {
  const all = branches(program)
  const lines = all.flatMap(({ path, next, values, isOpen }) => {
    const here = `-n ${quote(`__grove_at ${path}`)}`
    return [
      ...(isOpen ? [] : [`complete -c grove ${here} -f`]),
      ...next.map(({ word, about }) => {
        const taken = values.find(({ option }) => option === word)
        const value = taken ? (taken.choices.length > 0 ? ` -x -a ${quote(taken.choices.join(' '))}` : ' -r -F') : ''
        return `complete -c grove ${here} ${fishWord(word)}${value} -d ${quote(about)}`
      }),
    ]
  })
  return `# fish completion for grove
set -g __grove_paths ${all
    .slice(1)
    .map(({ path }) => quote(path))
    .join(' ')}
function __grove_at
    set -l path grove
    for word in (commandline -opc)[2..]
        contains -- "$path $word" $__grove_paths; and set path "$path $word"
    end
    test "$path" = "$argv"
end
${lines.join('\n')}`
}

function alternatives([, ...deeper]: Branch[]): string {
  return deeper.map(({ path }) => quote(path)).join(' | ')
}

function fishWord(word: string): string {
  if (word.startsWith('--')) return `-l ${word.slice(2)}`
  return word.startsWith('-') ? `-s ${word.slice(1)}` : `-a ${quote(word)}`
}
