import type { Call, Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { type Options, readOptions } from '../options.ts'
import { patchTargets } from '../patch.ts'
import { known, literal, mapText, type Output, unknown, type Value } from '../values.ts'

/** Verbs of git whose patches say which files change. */
export const patchVerbs: Record<string, Effect> = {
  am: (call) => {
    const options = readOptions(call.args, { values: 'p directory exclude include C whitespace patch-format' })
    if (options.has('abort', 'quit', 'show-current-patch')) return
    const given = options.operands.length > 0 ? options.operands : [call.stdinFile]
    const fromInput = options.operands.length === 0 ? asText(call.stdin) : undefined
    if (fromInput !== undefined) writePatched(call, fromInput, 1, options.get('directory'))
    else if (!writtenHere(call, given, 1, options.get('directory')))
      call.namesIn({ kind: 'patch', from: given, strip: 1 })
    call.undecided('git am: the patches name the files')
  },
  apply: (call) => {
    const options = readOptions(call.args, { values: 'p directory exclude include C whitespace' })
    if (options.has('check', 'stat', 'numstat', 'summary') || (options.has('cached') && !options.has('index'))) return
    applyPatch(
      call,
      options,
      options.operands.length === 0 || options.operands[0]!.text === '-',
      options.get('directory'),
    )
  },
}

/** Reads the files out of a patch that is there to be read; otherwise says that it is not. */
export function applyPatch(call: Call, options: Options, fromInput: boolean, folder: Value | undefined): Output {
  const text = fromInput ? asText(call.stdin) : undefined
  const origin = fromInput ? call.stdin?.[0]?.origin : undefined
  if (origin && 'git' in origin) {
    const [verb, ...args] = origin.git
    if (verb?.text === 'show') call.namesIn({ kind: 'commits', from: named(args) })
    else if (verb?.text === 'stash') call.namesIn({ kind: 'stash', from: args.map((one) => mapText(one, stashName)) })
    else call.namesIn({ kind: 'diff', from: args })
    call.undecided(`${call.name}: the patch names the files`)
    return
  }
  if (text === undefined) {
    const strip = Number(options.get('p', 'strip')?.text ?? (call.name === 'patch' ? -1 : 1))
    const given = fromInput
      ? [origin && 'file' in origin ? origin.file : call.stdinFile]
      : options.all('i', 'input').length > 0
        ? options.all('i', 'input')
        : options.operands
    const into = literal(folder)
    if (writtenHere(call, given, strip, folder)) return
    if (folder === undefined || into !== undefined)
      call.namesIn({ kind: 'patch', from: given, strip, ...(into !== undefined && { folder: into }) })
    call.undecided(`${call.name}: the patch names the files`)
    return
  }
  const strip = Number(options.get('p', 'strip')?.text ?? (call.name === 'patch' ? Number.MAX_SAFE_INTEGER : 1))
  writePatched(call, text, strip, folder)
}

function writePatched(call: Call, text: string, strip: number, folder: Value | undefined): undefined {
  for (const { path, kind } of patchTargets(text, strip)) {
    call.write(folder ? landingBelow(folder, path) : known(path), kind)
  }
}

/** Patches that the same command line has put into files: they are not there yet to be read. */
function writtenHere(call: Call, files: (Value | undefined)[], strip: number, folder: Value | undefined): boolean {
  const texts = files.map((file) => file && call.textWrittenTo(file))
  if (texts.length === 0 || texts.some((text) => text === undefined)) return false
  for (const text of texts) writePatched(call, text!, strip < 0 ? Number.MAX_SAFE_INTEGER : strip, folder)
  return true
}

function named(args: Value[]): Value[] {
  const { operands } = readOptions(args)
  return operands.length > 0 ? operands.slice(0, 1) : [known('HEAD')]
}

function landingBelow(folder: Value, path: string): Value {
  return mapText(folder, (text) => `${text.replace(/\/$/, '')}/${path}`)
}

/** Its output is a patch that git can be asked about. */
export function prints(verb: string): Effect {
  return ({ args }) => [{ ...unknown(), origin: { git: [known(verb), ...args] } }]
}

/** `1` is `stash@{1}`. */
export function stashName(text: string): string {
  return /^\d+$/.test(text) ? `stash@{${text}}` : text
}
