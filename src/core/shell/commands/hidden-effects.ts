import type { Call } from '../call.ts'
import { copyPlace } from '../expand.ts'
import { readOptions } from '../options.ts'
import type { Value } from '../values.ts'

/** How a program that is known for something harmless can be made to do more. */
interface HiddenEffects {
  /** Options that run something, or name a file that says what is run. */
  runs?: string
  /** Options that do so unless their value is one of the usual ones. */
  mayRun?: string
  usual?: RegExp
  /** Options whose value is a file that is written. */
  writes?: string
  /** Other options that take a value, so that it is not taken for something else. */
  values?: string
  /** Arguments that give the program commands of its own. */
  commands?: RegExp
}

const PAGERS = /^(?:cat|less|more|never|auto)(?: -\w+)*$/
const REMOTE_SHELLS = /^ssh(?: -[pil46vCqT]+(?: (?!-)\S*|(?![pil46vCqT])\S+)?)*$/
const COMPRESSORS = /^(?:gzip|pigz|bzip2|pbzip2|xz|zstd|zstdmt|lz4|lzop|lzma|brotli)(?: -[-\w=]+)*$/
const SSH_OPTIONS =
  /^(?!(?:proxycommand|localcommand|permitlocalcommand|knownhostscommand|proxyuseFdpass|include|pkcs11provider|securitykeyprovider|xauthlocation|match)\b)/i

const ssh: HiddenEffects = {
  runs: 'F I',
  mayRun: 'o',
  usual: SSH_OPTIONS,
  writes: 'E',
  values: 'p i l b c D e J L m O Q R S W w B',
}
const less: HiddenEffects = {
  writes: 'o O log-file LOG-FILE',
  runs: 'k lesskey-file lesskey-src lesskey-content',
  values: 'b h j p P t T x y z',
  commands: /^\+\+?(?!\d*$|[GFg]$|[/?&])/,
}
const ncat: HiddenEffects = { runs: 'e c exec sh-exec lua-exec', writes: 'o x output hex-dump', values: 'p s w i q' }

const node: HiddenEffects = {
  runs: 'loader experimental-loader',
  mayRun: 'r require import',
  usual:
    /^(?:dotenv\/config|tsx(?:\/\w+)?|ts-node\/(?:register|esm)|tsconfig-paths\/register|source-map-support\/register|esbuild-register)$/,
}

const HIDDEN_EFFECTS: Record<string, HiddenEffects> = {
  rg: { runs: 'pre hostname-bin', values: 'e f g t T A B C m j r E M d' },
  ag: { mayRun: 'pager', usual: PAGERS },
  ack: { mayRun: 'pager', usual: PAGERS },
  bat: { mayRun: 'pager', usual: PAGERS },
  batcat: { mayRun: 'pager', usual: PAGERS },
  delta: { mayRun: 'pager', usual: PAGERS },
  man: { mayRun: 'P pager H html C config-file preprocessor', usual: PAGERS },
  less,
  zless: less,
  more: { commands: /^\+(?!\d*$|\/)/ },
  sort: { mayRun: 'compress-program', usual: COMPRESSORS, values: 'k t S T o' },
  tar: tarDoors(),
  bsdtar: tarDoors(),
  gtar: tarDoors(),
  ssh,
  scp: { ...ssh, runs: 'F S', values: 'P i J c l D X' },
  rsync: { mayRun: 'e rsh early-input', usual: REMOTE_SHELLS },
  nc: ncat,
  ncat,
  fzf: { runs: 'preview bind history with-shell', values: 'f q d n' },
  sar: { writes: 'o' },
  base64: { writes: 'o output', values: 'i w b' },
  cloc: { writes: 'out report-file count-and-diff sum-reports' },
  'redis-cli': { writes: 'rdb functions-rdb', values: 'h p a n u' },
  helm: { runs: 'post-renderer', writes: 'output-dir', values: 'n f' },
  file: { runs: 'C compile', values: 'm F e f P' },
  tsc: { writes: 'generateTrace generateCpuProfile' },
  mypy: { runs: 'install-types' },
  pylint: { runs: 'init-hook' },
  tflint: { runs: 'fix init' },
  pandoc: { runs: 'F filter L lua-filter', values: 'f t o' },
  dot: { runs: 'O', values: 'T K G N E l n s o' },
  time: { writes: 'o output', values: 'f format' },
  node,
  nodejs: node,
  ruby: {
    mayRun: 'r I',
    usual:
      /^(?:json|yaml|csv|set|date|time|pp|erb|digest|uri|net\/http|open3?|English|benchmark|securerandom|fileutils|tempfile|tmpdir|strscan|ostruct|optparse|pathname|bigdecimal)$/,
    values: 'e',
  },
  perl: {
    mayRun: 'M m I',
    usual:
      /^-?(?:strict|warnings|utf8|feature|v?5[\d.]*|open|bigint|List::Util|Scalar::Util|Data::Dumper|JSON::PP|MIME::Base64|Encode|POSIX|Time::\w+|Text::\w+|Digest::\w+|File::Basename|File::Spec(?:::Functions)?|Cwd|Getopt::\w+|URI::Escape)(?:=.*)?$/,
    values: 'e E F',
  },
  php: { mayRun: 'd c', usual: /^(?!auto_(?:ap|pre)pend_file|extension|zend_extension|\S*\/)/, values: 'r f' },
  openssl: { runs: 'engine provider-path', writes: 'writerand', values: 'in out' },
  curl: {
    runs: 'K config',
    writes: 'libcurl etag-save hsts alt-svc trace-ascii',
    values: 'o H d X u A e F T b c D w m x E',
  },
  wget: {
    mayRun: 'e execute config use-askpass',
    usual: /^(?:use_proxy|https?_proxy|robots|check_certificate|timeout|tries)\s*=/,
    writes: 'save-cookies hsts-file warc-file rejected-log',
    values: 'O P o a U T t i w',
  },
  hash: { runs: 'p' },
  mapfile: { runs: 'C', values: 'd n O s u c' },
  readarray: { runs: 'C', values: 'd n O s u c' },
}

/** Looks for options that turn a harmless command into another one. */
export function watchHiddenEffects(base: string, call: Call): void {
  const hidden = Object.hasOwn(HIDDEN_EFFECTS, base) ? HIDDEN_EFFECTS[base]! : undefined
  if (!hidden) return
  const { runs = '', mayRun = '', usual, writes = '', values = '', commands } = hidden
  const telling = `${runs} ${mayRun} ${writes}`
  const names = telling.split(' ').filter(Boolean)
  const options = readOptions(
    call.args.map((arg) => inFull(arg, names)),
    { values: `${telling} ${values}`, singleDash: base === 'openssl', stopAtOperand: STOPS.has(base) },
  )
  for (const path of options.all(...writes.split(' '))) if (path.text !== '-') call.write(path, 'create')
  const isUnusual = (name: string) => !options.all(name).every(({ text }) => usual?.test(text))
  const given = (some: string) => some.split(' ').filter((name) => options.has(name))
  const risky = [...given(runs), ...given(mayRun).filter(isUnusual)][0]
  if (risky) {
    call.undecided(`${call.name}: ${risky.length > 1 ? '--' : '-'}${risky} may run a program`)
    for (const { text } of options.all(risky)) {
      const command = text.replace(/^exec=/, '')
      if (/\s/.test(command)) call.script(command, { place: copyPlace(call.place) })
    }
  }
  if (commands && call.args.some(({ text }) => commands.test(text))) {
    call.undecided(`${call.name}: is given commands to run`)
  }
}

/** What follows their first operand is for another program. */
const STOPS = new Set(['ssh', 'time', 'node', 'nodejs', 'ruby', 'perl', 'php'])

/** Long options may be cut short: `sort --compress=x`. */
function inFull(arg: Value, names: string[]): Value {
  const given = /^--([\w-]{3,})/.exec(arg.text)?.[1]
  if (given === undefined || names.includes(given)) return arg
  const meant = names.find((name) => name.startsWith(given))
  return meant ? { ...arg, text: arg.text.replace(given, meant) } : arg
}

function tarDoors(): HiddenEffects {
  return {
    mayRun:
      'I use-compress-program to-command checkpoint-action rsh-command rmt-command F info-script new-volume-script',
    usual: new RegExp(`${COMPRESSORS.source}|^(?:dot|echo|bell|ttyout|sleep|totals)\\b`),
    writes: 'index-file',
    values: 'f C X T b g K L N V H',
  }
}
