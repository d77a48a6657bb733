import type { Call, Effect } from '../call.ts'
import { asText, copyPlace, type Place } from '../expand.ts'
import { readOptions } from '../options.ts'
import { isRoutine } from '../routine.ts'
import { joinPath, known, literal } from '../values.ts'

/** It does what a file of rules says. */
export const makers: Record<string, Effect> = { make, gmake: make }

/** `make -n` only tells; anything else does what the makefile says, which is read. */
function make(call: Call): undefined {
  const options = readOptions(call.args, { values: 'C directory f file makefile I W o E eval' })
  if (options.has('n', 'dry-run', 'just-print', 'recon', 'q', 'question', 'version', 'help', 'v')) return
  call.undecided(`${call.name}: does what the makefile says`)
  const folder = options.get('C', 'directory')?.text ?? '.'
  const named = options.get('f', 'file', 'makefile')
  const files = named ? [named] : ['GNUmakefile', 'makefile', 'Makefile'].map(known)
  // A makefile written by the same command line gets no trust for calling its target `test` or `build`.
  const isOwn =
    named?.text === '-' || files.some((file) => call.textWrittenTo(known(joinPath(folder, file.text))) !== undefined)
  const evaluated = options.all('eval', 'E').map(({ text }) => text)
  const text = named
    ? /^(?:-|\/dev\/stdin)$/.test(named.text)
      ? asText(call.stdin)
      : call.scriptAt(named.origin ? named : known(joinPath(folder, named.text)))
    : files.map(({ text: name }) => call.scriptAt(known(joinPath(folder, name)))).find((one) => one !== undefined)
  const makefile = [...evaluated, text ?? ''].join('\n')
  const targets = options.operands.filter(({ text: word }) => !/=/.test(word)).map(literal)
  const place = copyPlace(call.place)
  const inFolder = folder === '.' ? '' : `cd ${folder}\n`
  for (const [, file] of makefile.matchAll(/\$[({]file\s+>>?\s*([^\s,)}$]+)/g))
    call.write(known(joinPath(folder, file!)), 'create')
  for (const [, called, assigned] of makefile.matchAll(/\$\(shell[ \t]([^()$\n]+)\)|^\w+[ \t]*!=([^$\n]+)$/gm))
    call.script(inFolder + (called ?? assigned!), { place: copyPlace(place) })
  for (const target of targets.length > 0 ? targets : [undefined])
    runRecipe(call, { makefile: `${makefile}\n`, folder, isOwn, place, done: new Set() }, target)
}

interface Rules {
  makefile: string
  folder: string
  isOwn: boolean
  place: Place
  done: Set<string>
}

/** What a target's rule does, and before it the rules that it asks for. */
function runRecipe(call: Call, rules: Rules, target: string | undefined): void {
  const { makefile, folder, isOwn, place, done } = rules
  const rule = ruleOf(makefile, target)
  if (!rule || done.has(rule.name) || done.size > MOST_RULES) return
  done.add(rule.name)
  for (const other of rule.needs) runRecipe(call, rules, other)
  const isCheck = !isOwn && isRoutine('make', [known(rule.name)])
  if (!rule.recipe) return
  call.script(`cd ${folder}\n${rule.recipe}`, { place: copyPlace(place), ...(isCheck && { makes: true }) })
}

const MOST_RULES = 20

/** A plain rule; its variables are filled in where the makefile says them in letters. */
function ruleOf(makefile: string, target: string | undefined) {
  const rules = [...makefile.matchAll(/^([^\s#:=][^:=\n]*):(?!=)([^\n;]*)(?:;([^\n]*))?\n((?:\t[^\n]*(?:\n|$))*)/gm)]
  const plain = rules.filter(([, names]) => !names!.startsWith('.'))
  const found = target === undefined ? plain[0] : plain.find(([, names]) => names!.trim().split(/\s+/).includes(target))
  if (!found) return undefined
  const [, names, needs = '', inline = '', lines = ''] = found
  const name = target ?? names!.trim().split(/\s+/)[0]!
  const recipe = `${inline.replace(/^\s*[@+-]+/, '')}\n${lines.replace(/^\t[@+-]*/gm, '')}`
    .replaceAll('$@', name)
    .replaceAll('$<', needs.trim().split(/\s+/)[0] ?? '')
    .replace(/\$[({](\w+)[)}]/g, (_, word: string) => variableIn(makefile, word) ?? '"$make"')
    .replaceAll('$$', '$')
    .trim()
  return {
    name,
    needs: needs
      .replace(/#.*/, '')
      .trim()
      .split(/[\s|]+/)
      .filter(Boolean),
    recipe,
  }
}

function variableIn(makefile: string, name: string): string | undefined {
  return new RegExp(`^${name}[ \\t]*[:?]?=[ \\t]*([^\\n$#]*)$`, 'm').exec(makefile)?.[1]?.trim()
}
