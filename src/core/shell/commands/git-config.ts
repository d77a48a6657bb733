import type { Call, Effect } from '../call.ts'
import { mattersToOthers } from '../git-settings.ts'
import { type Options, readOptions } from '../options.ts'
import { known, literal, type Value } from '../values.ts'

/** Verbs of git that write its settings. */
export const configVerbs: Record<string, Effect> = {
  config: (call) => {
    const options = readOptions(call.args, { values: 'f file blob type default value comment' })
    call.write(settingsWrite(options, call), 'modify')
    if (options.has('e', 'edit') || options.operands[0]?.text === 'edit') call.undecided('git config: opens an editor')
  },
  remote: (call) => {
    const verb = readOptions(call.args, { values: 't m f' }).operands[0]?.text ?? 'show'
    if (/^(?:add|rename|remove|rm|set-url|set-branches)$/.test(verb)) call.write(ownSettings(call), 'modify')
  },
  lfs: (call) => {
    const verb = call.args[0]?.text ?? ''
    if (/^(?:install|uninstall|update)$/.test(verb)) return call.write(ownSettings(call), 'modify')
    if (verb === 'track' || verb === 'untrack') {
      if (call.args.length > 1) call.write(known('.gitattributes'), 'modify')
      return
    }
    if (!/^(?:ls-files|status|env|version|logs|locks|fetch|push|prune|fsck|pointer)$/.test(verb))
      call.undecided(`git lfs ${verb}: may change any file`)
  },
}

/** The file that `git config` writes, if that must be known beforehand. Other settings of the repository are compared afterwards. */
function settingsWrite(options: Options, call: Call): Value | undefined {
  const [verb, ...named] = options.operands
  const isVerb = verb !== undefined && CONFIG_VERBS.test(verb.text)
  const writes = isVerb
    ? /^(?:set|unset|rename-section|remove-section)$/.test(verb.text)
    : options.has('add', 'unset', 'unset-all', 'rename-section', 'remove-section', 'replace-all') ||
      (named.length > 0 && !options.has('get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'l', 'list'))
  if (!writes) return undefined
  const file = options.get('f', 'file')
  if (file) return file
  if (options.has('global')) return known(`${literal(call.place.variables.get('HOME')?.[0]) ?? '~'}/.gitconfig`)
  if (options.has('system')) return known('/etc/gitconfig')
  const key = (isVerb ? named[0] : verb)?.text ?? ''
  const isSection = isVerb ? verb.text.endsWith('-section') : options.has('rename-section', 'remove-section')
  // Settings that make git run programs, or change what it compares.
  return mattersToOthers(isSection ? `${key}.` : key) ? ownSettings(call) : undefined
}

const CONFIG_VERBS = /^(?:list|get|set|unset|rename-section|remove-section|edit)$/

/** The repository's own settings, from wherever in it. */
function ownSettings({ root, place }: Call): Value {
  const isHere = root !== undefined && (place.cwd === root || place.cwd?.startsWith(`${root}/`))
  return known(isHere ? `${root}/.git/config` : '.git/config')
}
