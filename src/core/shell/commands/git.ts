import type { Call, Effect } from '../call.ts'
import { asText, copyPlace } from '../expand.ts'
import { namesAProgram, runsPrograms } from '../git-settings.ts'
import { type Options, readOptions } from '../options.ts'
import { patchTargets } from '../patch.ts'
import {
  baseName,
  foldPath,
  glob,
  joinPath,
  known,
  literal,
  mapText,
  type Output,
  unknown,
  type Value,
} from '../values.ts'
import { HERE, landings } from './files.ts'

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
  if (alias) return runsText(call, alias.text.replace(/^[^=]*=!?/, alias.text.includes('=!') ? '' : 'git '))
  // Every verb that shows changes takes it.
  if (!OUTPUT_IS_OWN.has(name))
    inside.write(readOptions(args.map(inFull), { values: 'output' }).get('output'), 'create')
  const effect = verbs[name]
  if (effect) return effect(inside)
  if (!OWN_BUSINESS.has(name)) call.undecided(`git ${name}: may change any file`)
}

/** They have an output of their own. */
const OUTPUT_IS_OWN = new Set(['archive', 'format-patch'])

/** `--outp=x` is `--output=x` to git. */
function inFull(arg: Value): Value {
  return mapText(arg, (text) => text.replace(/^--outp?u?(?==|$)/, '--output'))
}

/** Settings, addresses and options with which git runs something. */
function heedPrograms(call: Call, global: Options, args: Value[]): void {
  const settings = global.all('c').map(({ text }) => /^([^=]*)(?:=(.*))?$/s.exec(text)!)
  const fromVariables = global.all('config-env').map(({ text }) => text.replace(/=[^=]*$/, ''))
  if (settings.some(([, key, value]) => runsPrograms(key!, value ?? 'true')) || fromVariables.some(namesAProgram))
    call.undecided('git: a setting on the command line may run a program')
  if (global.get('exec-path')) call.undecided('git: takes its programs from another folder')
  if (args.some(({ text }) => /^ext::|^--(?:upload-pack|receive-pack|exec|open-files-in-pager)(?:=|$)/.test(text)))
    call.undecided('git: runs the program it is given')
  for (const [, key, value] of settings) if (value && runsPrograms(key!, value)) runsText(call, value.replace(/^!/, ''))
  const given = readOptions(args, { values: 'exec x extcmd tool-cmd O open-files-in-pager upload-pack cmd' })
  for (const program of given.all('exec', 'extcmd', 'open-files-in-pager', 'upload-pack', ...SHORT_FOR_PROGRAMS))
    runsText(call, program.text)
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
    'log ls-remote ls-tree merge-base merge-tree name-rev notes prune push range-diff reflog remote ' +
    'repack rev-list rev-parse shortlog show-branch show-ref status symbolic-ref tag update-index update-ref ' +
    'var verify-commit version whatchanged write-tree bundle-verify'
  ).split(' '),
)

const verbs: Record<string, Effect> = {
  'rev-parse': (call) =>
    call.args.some((arg) => arg.text === '--show-toplevel') && call.root ? [known(call.root)] : undefined,
  'ls-files': (call) => listed(call),
  diff: prints('diff'),
  show: prints('show'),
  grep: (call) => {
    if (call.args.some(({ text }) => /^-O./.test(text))) call.undecided('git: runs the program it is given')
  },
  'interpret-trailers': (call) => {
    const options = readOptions(call.args, { values: 'trailer where if-exists if-missing' })
    if (options.has('in-place')) for (const path of options.operands) call.write(path, 'modify')
  },
  maintenance: (call) => {
    if (call.args[0]?.text === 'start') call.undecided('git maintenance start: changes the schedule of this machine')
  },
  config: (call) => {
    const options = readOptions(call.args, { values: 'f file blob type default' })
    const isRead = options.has('get', 'get-all', 'get-regexp', 'l', 'list') || options.operands.length < 2
    const isWrite =
      !isRead || options.has('add', 'unset', 'unset-all', 'rename-section', 'remove-section', 'replace-all')
    if (!isWrite) return
    call.write(options.get('f', 'file'), 'modify')
    const key = options.operands.find(({ text }) => text.includes('.'))
    // Some settings make git run programs, so they are no longer its own business.
    if (!key || !namesAProgram(key.text)) return
    const home = literal(call.place.variables.get('HOME')?.[0]) ?? '~'
    call.write(known(options.has('global') ? `${home}/.gitconfig` : '.git/config'), 'modify')
  },
  init: (call) => {
    const options = readOptions(call.args, { values: 'b initial-branch template separate-git-dir' })
    call.write(options.operands[0], 'create', { folder: true })
  },
  am: (call) => {
    const options = readOptions(call.args, { values: 'p directory exclude include C whitespace patch-format' })
    if (options.has('abort', 'quit', 'show-current-patch')) return
    call.namesIn({
      kind: 'patch',
      from: options.operands.length > 0 ? options.operands : [call.stdinFile],
      strip: 1,
    })
    call.undecided('git am: the patches name the files')
  },
  pull: (call) => {
    const options = readOptions(call.args, { values: 's strategy X' })
    if (options.has('dry-run')) return
    const [remote, branch] = options.operands
    if (remote?.text === '.' && branch) call.namesIn({ kind: 'merge', from: [branch] })
    call.undecided('git pull: changes every file that differs')
  },
  merge: (call) => {
    const options = readOptions(call.args, { values: 'm F s strategy X strategy-option into-name' })
    if (options.has('abort', 'quit')) return call.write(HERE, 'modify', { tree: true, maybe: true })
    const [branch = known('@{upstream}')] = options.operands
    call.namesIn({ kind: 'merge', from: [branch] })
    call.undecided('git merge: the branch says which files change')
  },
  rebase: (call) => {
    const options = readOptions(call.args, { values: 'onto x exec s strategy X strategy-option' })
    if (options.has('show-current-patch', 'edit-todo')) return
    const onto = options.get('onto')
    const [upstream = known('@{upstream}'), branch] = options.operands
    if (onto) call.namesIn({ kind: 'branch', from: [onto] })
    else if (!options.has('abort', 'continue', 'skip', 'quit', 'root'))
      call.namesIn({ kind: 'merge', from: [upstream] })
    if (branch) call.namesIn({ kind: 'branch', from: [branch] })
    call.undecided('git rebase: the branch says which files change')
  },
  rerere: (call) => {
    if (!/^(?:status|diff|remaining|gc)$/.test(call.args[0]?.text ?? '')) call.undecided('git rerere: solves conflicts')
  },
  bisect: (call) => {
    const [verb, ...revisions] = readOptions(call.args, { values: 'term-new term-old term-good term-bad' }).operands
    if (!verb || /^(?:log|view|visualize|terms|help)$/.test(verb.text)) return
    if (verb.text === 'run') call.run(call.args.slice(1))
    if (verb.text === 'start' && revisions.length > 1) call.namesIn({ kind: 'diff', from: revisions.slice(0, 2) })
    call.undecided(`git bisect ${verb.text}: goes to another commit`)
  },
  difftool: (call) => call.undecided('git difftool: runs the program it is given'),
  'cherry-pick': (call) => picks(call, 'commits'),
  revert: (call) => picks(call, 'reverts'),
  'sparse-checkout': (call) => {
    if (!/^(?:list|check-rules)$/.test(call.args[0]?.text ?? 'list')) call.write(HERE, 'modify', { tree: true })
  },
  'filter-branch': (call) => call.write(HERE, 'modify', { tree: true }),
  'filter-repo': (call) => call.write(HERE, 'modify', { tree: true }),
  'read-tree': (call) => {
    const options = readOptions(call.args, { values: 'prefix exclude-per-directory index-output' })
    if (!options.has('u')) return
    call.namesIn({ kind: 'branch', from: options.operands.slice(-1) })
    call.undecided('git read-tree: changes every file that differs')
  },
  'checkout-index': (call) => {
    const options = readOptions(call.args, { values: 'prefix stage' })
    const prefix = options.get('prefix')
    if (prefix) return call.write(prefix, 'create', { tree: true })
    for (const path of options.has('a', 'all') ? [HERE] : options.operands)
      call.write(path, 'modify', { tree: true, maybe: true })
  },
  replace: (call) => {
    const options = readOptions(call.args, { values: 'format' })
    if (!options.has('l', 'list') && options.operands.length > 0)
      call.write(known('.git/refs/replace'), 'create', { tree: true })
  },
  checkout,
  restore: (call) => {
    const options = readOptions(call.args, { values: 's source' })
    if (options.has('S', 'staged') && !options.has('W', 'worktree')) return
    takenFrom(call, options.get('s', 'source'), options.operands)
    for (const path of options.operands) call.write(path, 'modify', { tree: true, maybe: true })
  },
  switch: (call) => {
    const options = readOptions(call.args, { values: 'c C create force-create orphan' })
    const startsHere = options.has('c', 'C', 'create', 'force-create') && options.operands.length === 0
    if (options.operands[0]) call.namesIn({ kind: 'branch', from: [asBranch(options.operands[0])] })
    if (options.has('orphan')) call.write(HERE, 'delete', { tree: true, maybe: true })
    if (options.has('discard-changes', 'f', 'force')) call.write(HERE, 'modify', { tree: true, maybe: true })
    if (!startsHere) call.undecided('git switch: changes every file that differs between the branches')
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
  clean: (call) => {
    const options = readOptions(call.args, { values: 'e exclude' })
    if (options.has('n', 'dry-run') || !options.has('f', 'force')) return
    for (const path of some(options.operands)) call.write(path, 'delete', { tree: true, maybe: true })
  },
  reset: (call) => {
    const options = readOptions(call.args)
    if (!options.has('hard', 'merge', 'keep')) return
    const [commit] = options.operands
    if (commit) call.namesIn({ kind: 'branch', from: [commit] })
    call.write(HERE, 'modify', { tree: true, maybe: true })
  },
  stash: (call) => {
    const options = readOptions(call.args, { values: 'm message' })
    const verb = options.operands[0]?.text ?? 'push'
    if (verb === 'show') return [{ ...unknown(), origin: { git: [known('stash'), options.operands[1] ?? known('0')] } }]
    if (verb === 'pop' || verb === 'apply' || verb === 'branch') {
      const named = options.operands[verb === 'branch' ? 2 : 1]
      call.namesIn({ kind: 'stash', from: [named ? mapText(named, stashName) : known('stash@{0}')] })
    }
    if (verb === 'pop' || verb === 'apply' || verb === 'branch')
      call.undecided(`git stash ${verb}: brings back whatever was stashed`)
    if (verb !== 'push' && verb !== 'save') return
    const paths = verb === 'push' ? options.operands.slice(options.operands[0] ? 1 : 0) : []
    for (const path of some(paths)) call.write(path, 'modify', { tree: true, maybe: true })
  },
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

function stashName(text: string): string {
  return /^\d+$/.test(text) ? `stash@{${text}}` : text
}

/** The commits say which files they change; taken over or taken back, it is the same files. */
function picks(call: Call, kind: 'commits' | 'reverts'): undefined {
  const options = readOptions(call.args, { values: 'm mainline X strategy-option strategy' })
  if (options.has('abort', 'quit', 'skip')) return
  call.namesIn({ kind, from: options.operands })
  call.undecided(`git ${kind === 'commits' ? 'cherry-pick' : 'revert'}: the commits say which files change`)
}

function checkout(call: Call): Output {
  const dashes = call.args.findIndex((arg) => arg.text === '--')
  if (dashes >= 0) {
    takenFrom(call, readOptions(call.args.slice(0, dashes)).operands[0], call.args.slice(dashes + 1))
    for (const path of call.args.slice(dashes + 1)) call.write(path, 'modify', { tree: true, maybe: true })
    return
  }
  const options = readOptions(call.args, { values: 'b B orphan' })
  if (options.has('f', 'force')) call.write(HERE, 'modify', { tree: true, maybe: true })
  if (options.has('b', 'B', 'orphan') && options.operands.length === 0) return
  const paths = options.operands.filter(looksLikePath)
  for (const path of paths) call.write(path, 'modify', { tree: true, maybe: true })
  const [first, ...others] = options.operands
  if (first && others.length > 0) takenFrom(call, first, others)
  else if (first && paths.length === 0) call.namesIn({ kind: 'branch', from: [asBranch(first)] })
  if (paths.length === 0) call.undecided('git checkout: changes every file that differs between the branches')
}

/** `git switch -` goes back to where one was. */
function asBranch(name: Value): Value {
  return name.text === '-' ? known('@{-1}') : name
}

/** Files of another commit that differ from what lies here. */
function takenFrom(call: Call, commit: Value | undefined, paths: Value[]): void {
  if (commit && !looksLikePath(commit)) call.namesIn({ kind: 'diff', from: [commit, known('--'), ...paths] })
}

/** Its output is a patch that git can be asked about. */
function prints(verb: string): Effect {
  return ({ args }) => [{ ...unknown(), origin: { git: [known(verb), ...args] } }]
}

/** Without `--`, `git checkout x` may mean a branch or a file; a file has an extension or a trailing slash. */
function looksLikePath({ text }: Value): boolean {
  return (
    text === '.' || text.startsWith('./') || text.endsWith('/') || /\.[a-zA-Z]\w{0,5}$/.test(text) || /[*?]/.test(text)
  )
}

function some(paths: Value[]): Value[] {
  return paths.length > 0 ? paths : [HERE]
}

function listed(call: Call): Output {
  const options = readOptions(call.args, { values: 'x X exclude' })
  return some(options.operands).map(({ text }) => {
    if (text === '.') return glob('**')
    // Git's own wildcards reach into folders.
    return glob(/[*?]/.test(text) && !text.includes('/') ? `**/${text}` : text)
  })
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
    if (folder === undefined || into !== undefined)
      call.namesIn({ kind: 'patch', from: given, strip, ...(into !== undefined && { folder: into }) })
    call.undecided(`${call.name}: the patch names the files`)
    return
  }
  const strip = Number(options.get('p', 'strip')?.text ?? (call.name === 'patch' ? Number.MAX_SAFE_INTEGER : 1))
  for (const { path, kind } of patchTargets(text, strip)) {
    call.write(folder ? landingBelow(folder, path) : known(path), kind)
  }
}

function named(args: Value[]): Value[] {
  const { operands } = readOptions(args)
  return operands.length > 0 ? operands.slice(0, 1) : [known('HEAD')]
}

function landingBelow(folder: Value, path: string): Value {
  return mapText(folder, (text) => `${text.replace(/\/$/, '')}/${path}`)
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
