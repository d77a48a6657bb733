import type { Call, Effect } from '../call.ts'
import { copyPlace } from '../expand.ts'
import { namesAProgram, runsPrograms } from '../git-settings.ts'
import { type Options, readOptions } from '../options.ts'
import { baseName, foldPath, glob, joinPath, known, literal, mapText, type Output, type Value } from '../values.ts'
import { HERE, landings } from './files.ts'
import { commitVerbs } from './git-commits.ts'
import { configVerbs } from './git-config.ts'
import { patchVerbs, prints } from './git-patches.ts'

/** Git, seen only from the working tree: what it keeps under `.git` is its own business. */
export const git: Effect = (call) => {
  const global = readOptions(call.args, {
    values: 'C c git-dir work-tree namespace config-env super-prefix attr-source',
    stopAtOperand: true,
  })
  const [verb, ...args] = global.operands
  const name = literal(verb)
  if (name === undefined) return verb && call.undecided('git: what it does is only known when it runs')
  const folder = global.get('C')
  const place = folder ? movedTo(call, folder) : call.place
  const inside: Call = folder ? { ...call, args, write: call.write, place } : { ...call, args }
  if (folder) {
    inside.write = (target, kind, traits) => call.write(target && underFolder(folder, target), kind, traits)
    inside.namesIn = (source) => call.namesIn({ ...source, ...(place.cwd !== undefined && { cwd: place.cwd }) })
  }
  heedPrograms(call, global, args)
  const alias = global.all('c').find(({ text }) => text.startsWith(`alias.${name}=`))
  if (alias) {
    const text = alias.text.replace(/^[^=]*=!?/, alias.text.includes('=!') ? '' : 'git ')
    call.script(`${text} "$@"`, { place: copyPlace(call.place), args })
    return
  }
  // Every verb that shows changes takes `--output`.
  if (!OUTPUT_IS_OWN.has(name))
    inside.write(readOptions(args.map(inFull), { values: 'output' }).get('output'), 'create')
  const effect = verbs[name]
  if (effect) return effect(inside)
  if (!OWN_BUSINESS.has(name)) call.undecided(`git ${name}: may change any file`)
}

/** Verbs with an `--output` of their own, which their effects handle. */
const OUTPUT_IS_OWN = new Set(['archive', 'format-patch'])

/** `--outp=x` is `--output=x` to git. */
function inFull(arg: Value): Value {
  return mapText(arg, (text) => text.replace(/^--outp?u?(?==|$)/, '--output'))
}

/** Settings, addresses and options with which git runs something. */
function heedPrograms(call: Call, global: Options, args: Value[]): void {
  const settings = global.all('c').map(({ text }) => /^([^=]*)(?:=(.*))?$/s.exec(text)!)
  const fromVariables = global.all('config-env').map(({ text }) => text.replace(/=[^=]*$/, ''))
  // An alias without a mark is another verb of git, which is followed like one.
  const isVerb = (key: string, value = '') => key.startsWith('alias.') && !value.startsWith('!')
  if (
    settings.some(([, key, value]) => !isVerb(key!, value) && runsPrograms(key!, value ?? 'true')) ||
    fromVariables.some(namesAProgram)
  )
    call.undecided('git: a setting on the command line may run a program')
  if (global.get('exec-path')) call.undecided('git: takes its programs from another folder')
  if (args.some(({ text }) => /^ext::|^--(?:upload-pack|receive-pack|exec|open-files-in-pager)(?:=|$)/.test(text)))
    call.undecided('git: runs the program it is given')
  for (const [, key, value] of settings) if (value && /^core\.hookspath$/i.test(key!)) runsHooks(call, value)
  for (const [, key, value] of settings)
    if (value && !isVerb(key!, value) && runsPrograms(key!, value)) runsText(call, value.replace(/^!/, ''))
  const given = readOptions(args, { values: 'exec x extcmd tool-cmd O open-files-in-pager upload-pack cmd' })
  for (const program of given.all('exec', 'extcmd', 'open-files-in-pager', 'upload-pack', ...SHORT_FOR_PROGRAMS))
    runsText(call, program.text)
}

const HOOKS =
  'applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-rewrite pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg push-to-checkout reference-transaction sendemail-validate'

/** Follows every hook in the folder: git may start any of them. */
function runsHooks(call: Call, folder: string): void {
  for (const hook of HOOKS.split(' ')) {
    const path = `${folder.replace(/\/$/, '')}/${hook}`
    const text = call.scriptAt(known(path))
    if (text !== undefined) call.run([known(/^[./~]/.test(path) ? path : `./${path}`)])
  }
}

/** `git rebase -x`, `git difftool -x`, `git grep -O`. */
const SHORT_FOR_PROGRAMS = ['x', 'O']

/** What git hands to a shell, read as the shell would. */
function runsText(call: Call, text: string): undefined {
  if (/[\s/]/.test(text)) call.script(text, { place: copyPlace(call.place) })
}

/** Verbs that read, or write only what lies under `.git` or elsewhere. */
const OWN_BUSINESS = new Set(
  (
    'add annotate bisect-log blame branch cat-file check-attr check-ignore check-ref-format cherry commit commit-tree ' +
    'count-objects credential describe diff-files diff-index diff-tree fetch for-each-ref fsck gc hash-object help ' +
    'log ls-remote ls-tree merge-base merge-tree name-rev notes prune push range-diff reflog ' +
    'repack rev-list rev-parse shortlog show-branch show-ref status symbolic-ref tag update-index update-ref ' +
    'var verify-commit version whatchanged write-tree bundle-verify'
  ).split(' '),
)

const verbs: Record<string, Effect> = {
  ...configVerbs,
  ...commitVerbs,
  ...patchVerbs,
  'rev-parse': located,
  'unpack-file': (call) => call.write(glob('.merge_file_*'), 'create'),
  'ls-files': (call) => listed(call),
  diff: prints('diff'),
  show: prints('show'),
  grep: (call) => {
    if (call.args.some(({ text }) => /^-O./.test(text))) call.undecided('git: runs the program it is given')
    const options = readOptions(call.args, { values: 'e f A B C m O max-count max-depth threads' })
    const isListing = options.has('l', 'L', 'files-with-matches', 'files-without-match', 'name-only')
    return isListing ? filesAmong(call, options.operands.slice(options.has('e', 'f') ? 0 : 1)) : undefined
  },
  'merge-file': (call) => {
    const options = readOptions(call.args, { values: 'L marker-size diff-algorithm' })
    if (!options.has('p', 'stdout')) call.write(options.operands[0], 'modify')
  },
  'interpret-trailers': (call) => {
    const options = readOptions(call.args, { values: 'trailer where if-exists if-missing' })
    if (options.has('in-place')) for (const path of options.operands) call.write(path, 'modify')
  },
  maintenance: (call) => {
    if (call.args[0]?.text === 'start') call.undecided('git maintenance start: changes the schedule of this machine')
  },
  init: (call) => {
    const options = readOptions(call.args, { values: 'b initial-branch template separate-git-dir' })
    call.write(options.operands[0], 'create', { folder: true })
  },
  difftool: (call) => call.undecided('git difftool: runs the program it is given'),
  mv: (call) => {
    const options = readOptions(call.args)
    const target = options.operands.at(-1)
    const sources = options.operands.slice(0, -1)
    if (!target || sources.length === 0 || options.has('n', 'dry-run')) return
    for (const source of sources) call.write(source, 'move', { tree: true })
    for (const path of landings(call, sources, target)) call.write(path, 'create', { tree: true, moved: true })
  },
  rm: (call) => {
    const options = readOptions(call.args)
    if (options.has('cached', 'n', 'dry-run')) return
    const traits = options.has('r') ? { tree: true as const } : {}
    for (const path of options.operands) call.write(path, 'delete', traits)
  },
  clone: (call) => {
    const options = readOptions(call.args, {
      values: 'b branch depth o origin c config reference filter j jobs',
    })
    const [url, folder] = options.operands
    call.write(folder ?? (url && mapText(url, (text) => baseName(text).replace(/\.git$/, ''))), 'create', {
      tree: true,
    })
  },
  worktree: (call) => {
    const options = readOptions(call.args, { values: 'b B reason' })
    const [verb, path, target] = options.operands
    if (verb?.text === 'add') call.write(path, 'create', { tree: true })
    else if (verb?.text === 'remove') call.write(path, 'delete', { tree: true })
    else if (verb?.text === 'move') {
      call.write(path, 'move', { tree: true })
      call.write(target, 'create', { tree: true })
    }
  },
  submodule: (call) => {
    const options = readOptions(call.args, { values: 'b branch name depth' })
    const [verb, url, path] = options.operands
    if (!verb || verb.text === 'status' || verb.text === 'summary') return
    if (verb.text === 'foreach') return eachModule(call)
    if (verb.text === 'add') {
      call.write(known('.gitmodules'), 'modify')
      call.write(path ?? (url && mapText(url, (text) => baseName(text).replace(/\.git$/, ''))), 'create', {
        tree: true,
      })
    } else call.undecided(`git submodule ${verb.text}: may change any file of the submodules`)
  },
  archive: (call) => {
    call.write(readOptions(call.args, { values: 'o output format prefix' }).get('o', 'output'), 'create')
    return prints('archive')(call)
  },
  'format-patch': (call) => {
    const options = readOptions(call.args, { values: 'o output-directory' })
    if (options.has('stdout')) return
    const folder = options.get('o', 'output-directory')
    call.write(folder ? mapText(folder, (text) => `${text.replace(/\/$/, '')}/*.patch`) : glob('*.patch'), 'create')
  },
  bundle: (call) => {
    if (call.args[0]?.text === 'create') call.write(call.args[1], 'create')
  },
}

/** Its words run in every submodule; which there are is only known when it runs. */
function eachModule(call: Call): undefined {
  const { operands } = readOptions(call.args, { stopAtOperand: true })
  const words = readOptions(operands.slice(1), { stopAtOperand: true }).operands
  const place = { ...copyPlace(call.place), cwd: undefined }
  const [only] = words
  if (words.length === 1 && literal(only) !== undefined) call.script(only!.text, { place })
  else if (words.length > 0) call.run(words, { place })
  call.undecided('git submodule foreach: runs in every submodule', 'local')
}

/** Where the repository lies, and what lies in it. */
function located({ args, root, place }: Call): Output {
  if (root === undefined) return undefined
  const own = `${root}/.git`
  const at = args.findIndex(({ text }) => text === '--git-path')
  const inside = literal(args[at + 1])
  if (at >= 0) return inside === undefined ? undefined : [known(`${own}/${inside}`)]
  const asked = args.find(({ text }) => /^--(?:show-|(?:absolute-)?git-|git-common-)/.test(text))?.text
  if (asked === '--show-toplevel') return [known(root)]
  if (asked === '--show-cdup' && place.cwd !== undefined) return [known(`${root}/`)]
  return /^--(?:absolute-git-dir|git-dir|git-common-dir)$/.test(asked ?? '') ? [known(own)] : undefined
}

function listed(call: Call): Output {
  const options = readOptions(call.args, { values: 'x X exclude' })
  return filesAmong(call, options.operands)
}

/** The files that git finds below these paths. */
function filesAmong(call: Call, paths: Value[]): Value[] {
  return (paths.length > 0 ? paths : [HERE]).map((path) => {
    const { text } = path
    if (text === '.') return glob('**')
    if (call.isFolder(path) === true) return glob(`${text.replace(/\/$/, '')}/**/*`)
    // Git's own wildcards reach into folders.
    return glob(/[*?]/.test(text) && !text.includes('/') ? `**/${text}` : text)
  })
}

function movedTo(call: Call, folder: Value) {
  const place = copyPlace(call.place)
  const to = literal(folder)
  place.cwd = to === undefined || place.cwd === undefined ? undefined : foldPath(joinPath(place.cwd, to))
  return place
}

function underFolder(folder: Value, target: Value): Value {
  if (/^[/~]/.test(target.text)) return target
  return { text: joinPath(folder.text, target.text), glob: folder.glob || target.glob }
}
