import type { WriteTraits } from './call.ts'
import { namesAProgram } from './git-settings.ts'
import { foldPath, joinPath, known, UNKNOWN, type Value } from './values.ts'

/** Callbacks for a variable that does more than hold a value. */
interface Heeds {
  cwd: string | undefined
  root: string | undefined
  write(target: Value, traits?: WriteTraits): void
  undecided(why: string): void
  /** Reads what a shell would run. */
  run(text: string): void
}

/** A program that reads these starts the program they name, or takes options and code from them. */
const NAMES_A_PROGRAM =
  /^(?:\w*_?PAGER|\w*_?EDITOR|VISUAL|GIT_EXTERNAL_DIFF|GIT_SSH|GIT_SSH_COMMAND|\w*_?ASKPASS|GIT_PROXY_COMMAND|LESSOPEN|LESSCLOSE|\w*_?BROWSER|RSYNC_RSH|CVS_RSH|MANROFFOPT)$/
const GIVES_CODE =
  /^(?:BASH_ENV|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG_(?:PARAMETERS|GLOBAL|SYSTEM)|GIT_CONFIG|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|RIPGREP_CONFIG_PATH|TAR_OPTIONS|FZF_DEFAULT_(?:OPTS|COMMAND|OPTS_FILE)|(?:_|JDK_)?JAVA_(?:TOOL_)?OPTIONS)$/
/** Tests and compilers leave their reports, or what they have built, where these say. */
const NAMES_AN_OUTPUT =
  /^(?:NODE_V8_COVERAGE|NODE_REDIRECT_WARNINGS|COVERAGE_FILE|GOCOVERDIR|LLVM_PROFILE_FILE|CARGO_TARGET_DIR|PYTHONPYCACHEPREFIX|PYTEST_DEBUG_TEMPROOT|JEST_JUNIT_OUTPUT\w*)$/
const HARMLESS =
  /^(?:(?:\/usr)?(?:\/bin\/)?(?:cat|less|more|most|head|true|false|echo|vim?|nvim|nano|emacs|bat|delta)?(?: -[\w=-]+)*|ssh(?: -[ip] \S+| -[46qTCvn]+| -o ?(?!\w*[cC]ommand)\w+=\S+)*|:|[01]|\/dev\/null)$/
const FOLDERS = /^(?:PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH)$/
/** Programs that are installed beside the project are as good as those of the system. */
const INSTALLED = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/?$/

/** Says what setting a variable may do: `GIT_EXTERNAL_DIFF=./x git diff` is no longer only a look. */
export function heedVariable(name: string, { text }: Value, heeds: Heeds): void {
  if (/^GIT_TRACE\w*$/.test(name)) {
    if (text.startsWith('/')) heeds.write(known(text))
    return
  }
  if (NAMES_AN_OUTPUT.test(name) && text !== '' && !text.startsWith(UNKNOWN)) heeds.write(known(text), { tree: true })
  if (/\$\(|`/.test(text)) heeds.undecided(`${name}: its text runs where it is calculated with`)
  const runs =
    ((NAMES_A_PROGRAM.test(name) || GIVES_CODE.test(name)) && !HARMLESS.test(text)) ||
    (/^GIT_CONFIG_KEY_\d+$/.test(name) && (text.includes(UNKNOWN) || namesAProgram(text))) ||
    (name === 'NODE_OPTIONS' && /(?:^|\s)(?:-r|--(?:require|import|loader|experimental-loader))\b/.test(text)) ||
    (name === 'LESS' && /(?:^|\s)-?-?(?:\w*[oO]\b|log-file|LOG-FILE)/.test(text)) ||
    (FOLDERS.test(name) && text.split(':').some((folder) => isWithin(folder, heeds)))
  if (!runs) return
  heeds.undecided(`${name}: what it is set to may run`)
  if (text.includes(UNKNOWN)) return
  if (NAMES_A_PROGRAM.test(name)) heeds.run(text)
  if (name === 'BASH_ENV') heeds.run(`sh '${text.replaceAll("'", '')}'`)
  if (name === 'NODE_OPTIONS') {
    for (const [, file] of text.matchAll(/(?:^|\s)(?:-r|--(?:require|import|loader|experimental-loader))[ =](\S+)/g))
      heeds.run(`node '${file}'`)
  }
}

/** Whether programs of a folder may be the agent's own: below the project, or in a world-writable place. */
function isWithin(folder: string, { cwd, root }: Heeds): boolean {
  if (INSTALLED.test(folder)) return false
  if (!/^[/~]/.test(folder)) return !folder.startsWith(UNKNOWN)
  const path = foldPath(folder)
  return [cwd, root, '/tmp', '/var/tmp'].some(
    (top) => top && top !== '/' && `${path}/`.startsWith(`${joinPath(top, '')}/`),
  )
}
