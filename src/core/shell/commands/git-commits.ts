import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { known, mapText, type Output, unknown, type Value } from '../values.ts'
import { HERE } from './files.ts'
import { stashName } from './git-patches.ts'

/** Verbs of git that bring the files of other commits, of a stash or of the index, or throw away work in progress. */
export const commitVerbs: Record<string, Effect> = {
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
    const prefix = options.get('prefix')
    if (prefix) return call.write(prefix, 'create', { tree: true })
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

/** Without `--`, `git checkout x` may mean a branch or a file; a file has an extension or a trailing slash. */
function looksLikePath({ text }: Value): boolean {
  return (
    text === '.' || text.startsWith('./') || text.endsWith('/') || /\.[a-zA-Z]\w{0,5}$/.test(text) || /[*?]/.test(text)
  )
}

function some(paths: Value[]): Value[] {
  return paths.length > 0 ? paths : [HERE]
}
