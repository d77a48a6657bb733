import type { Call } from '../call.ts'
import { copyPlace } from '../expand.ts'
import { isKnown, known, literal, type Value } from '../values.ts'

/**
 * Code that was not understood to its end, in whatever language: commands that it hands to a shell are read, and when
 * something in it may write, every path that it is told of is taken for one that it may write.
 */
export function heedUnread(
  call: Call,
  code: string,
  { operands = [], isWriting, rest = code, why }: Unread,
): undefined {
  if (code.length > LONGEST) return call.undecided(why)
  const unread = runShellTexts(call, code, rest)
  if (!isWriting && !mayWrite(unread, code)) return call.undecided(why, 'local')
  for (const path of pathsToldTo(call, code, operands)) {
    const isFolder = call.isFolder(path) === true
    if (/[*?]/.test(path.text)) call.write({ ...path, glob: true }, 'modify')
    else call.write(path, 'modify', isFolder ? { tree: true } : {})
  }
  return call.undecided(why)
}

interface Unread {
  /** What the code is given to work on. */
  operands?: readonly Value[]
  /** A call that writes was understood, but not where. */
  isWriting?: boolean
  /** The code without what was understood of it. */
  rest?: string
  why: string
}

/** Beyond this it is data, and searching it could take long. */
const LONGEST = 60_000

/** Writing to the terminal is no writing, nor is a passing file in the temporary folder. */
const TO_TERMINAL = /\b(?:sys\.|process\.|\$|io\.)?(?:stdout|stderr|STDOUT|STDERR)\b\s*(?:\.|->|:)\s*\w+/g
const PASSING =
  /\bZipFile\([^,()]*(?=\))|\b(?:tempfile\.)?(?:NamedTemporaryFile|SpooledTemporaryFile|TemporaryFile|TemporaryDirectory|mkdtemp|mkstemp|gettempdir)\((?![^)]{0,200}\bdir\b)/g

/** `f = NamedTemporaryFile()`, `with TemporaryFile() as f`: what is written through that name is passing too. */
const HELD_PASSING = new RegExp(
  String.raw`\b(\w+)\s*=\s*(?:${PASSING.source})|(?:${PASSING.source})[^)\n]{0,200}\)\s+as\s+(\w+)`,
  'g',
)

/** Names that stand for a change of files in one language or another. */
const WRITES =
  /write|\bsave|in_?place|retrieve|\bcfile\b|(?<![.\w])(?:copy|move|cp|mv)\s*\(|dump(?!s)|unlink|renam|rmtree|rmdir|\brm(?:Sync|_rf?|_f)?\s*\(|mk_?dir|truncat|touch|chmod|sym_?link|hard_?link|extract|\bspit\b|to_(?:csv|json|parquet|excel|pickle|html)|basicConfig\([^)]{0,200}filename|FileHandler|Tempfile|mkstemp|mkdtemp|\bsink\s*\(|\bdelete\b|\b(?:os|fs|fsp|shutil|File|Files|FileUtils|Path|Dir|Pathname|file|dir)\b(?:\.|::|->|\s)\s{0,4}\w{0,40}(?:remov|delet|creat|copy|mov|append|put|cp|mv|open|new)|(?:File|Dir|_file|_dir|Stream)\w{0,40}\s{0,4}\(|\bf?open\w*\b|\bfputs\b|\bcreat\(|\bofstream\b/
/** Names that stand for running something else. */
const RUNS =
  /\bsystem\b|(?<![.\w])exec\w*\b|execSync|execFile|spawn|popen|subprocess|child_process|\bshell\b|\beval\b|__import__|importlib|runpy|getattr|(?<!\.)\bload\b|\bsource\b|\brequire\s*(?:\(\s*)?['"]\.|\bqx\b|`/

/** A database that is only asked stays as it is. */
const CHANGES_DATA =
  /\b(?:insert|update|delete|create|drop|alter|replace|attach|vacuum|reindex|pragma|commit|executescript|backup|autocommit)\b/i

/** Names that end like those that write, and read: `readFileSync(`, `is_dir(`. */
const READS =
  /\b(?:read|is|exists|stat|lstat|list|get|load|parse|test|lint|check|createRead)_?[A-Za-z]{0,20}?(?:File|Dir|Stream|_file|_dir)\w{0,20}\s{0,4}\(/g

function mayWrite(unread: string, code: string): boolean {
  const plain = unread.replace(TO_TERMINAL, ' ').replace(READS, '(')
  const passing = Array.from(plain.matchAll(HELD_PASSING), ([, assigned, named]) => assigned ?? named!)
  const rest = passing
    .reduce((text, name) => text.replace(new RegExp(`\\b${name}\\.\\w+`, 'g'), ' '), plain)
    .replace(PASSING, '(')
  return WRITES.test(rest) || RUNS.test(rest) || (/sqlite/i.test(rest) && CHANGES_DATA.test(code))
}

const QUOTED = String.raw`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'`
const TO_SHELL = new RegExp(
  String.raw`(?:\bsubprocess\.|\bos\.|\bcp\.|\bchild_process\.)?\b(?:system|popen|Popen|exec(?!ute\b)\w*|spawn\w*|run|call|check_call|check_output|getoutput|shell_exec|passthru|shell|sh|os\.execute|io\.popen|cmd)(?:\s*[({]\s*|\s+)(?:(\[[^\]]{0,2000}\])|(?:${QUOTED})(?:\s*,\s*(\[[^\]]{0,2000}\])|((?:\s*,\s*(?:${QUOTED}))+))?)`,
  'g',
)
const BACKTICKS = /`([^`\n]{1,500})`|\b(?:qx|%x)\s*[({[/]([^)}\]/\n]{1,500})[)}\]/]/g

/** `os.system('…')`, `spawnSync('touch', ['x'])`, `system('touch', 'x')`, backticks: what a shell is given is read as a shell would. What is left is returned. */
function runShellTexts(call: Call, code: string, rest: string): string {
  const place = copyPlace(call.place)
  let unread = rest
  for (const [found, list, double, single, inList, inRow] of code.matchAll(TO_SHELL)) {
    const text = double ?? single
    const args = inList ?? inRow
    const words = list === undefined ? (args === undefined ? undefined : [text!, ...stringsIn(args)]) : stringsIn(list)
    // `execvp('cp', ['cp', …])`: the name is given twice.
    if (words && /^(?:os\.)?exec[lv]/.test(found)) words.splice(1, 1)
    if (words) call.run(words.map(known), { place })
    else if (text !== undefined && !/[{}$]/.test(text)) call.script(text.replace(/\\(['"\\])/g, '$1'), { place })
    else continue
    // A list with a name in it is known in part only.
    if (!list || ONLY_STRINGS.test(list)) unread = unread.replace(found, ' ')
  }
  for (const [, tick, quoted] of rest.matchAll(BACKTICKS)) {
    const text = tick ?? quoted!
    if (!/[#$]\{/.test(text)) call.script(text, { place })
  }
  return unread.replace(LOADS_RUNNERS, ' ')
}

const ONLY_STRINGS = new RegExp(`^\\[(?:\\s|,|${QUOTED})*\\]$`)
/** By being loaded they run nothing yet. */
const LOADS_RUNNERS =
  /\bimport\s+subprocess\b|\bfrom\s+subprocess\s+import\s+[\w, ]{1,200}|(?:\{[\w\s,]{1,200}\}\s*=\s*)?\brequire\(\s*["'](?:node:)?child_process["']\s*\)|\bimport\s*\{[\w\s,]{1,200}\}\s*from\s*["'](?:node:)?child_process["']/g

function stringsIn(code: string): string[] {
  return Array.from(code.matchAll(new RegExp(QUOTED, 'g')), ([, double, single]) => double ?? single ?? '')
}

const MOST_PATHS = 200

/** Paths among the strings of the code, its arguments, its input, and the variables that it asks for. */
function pathsToldTo(call: Call, code: string, operands: readonly Value[]): Value[] {
  const bare = code.match(/(?<![\w./"'-])[\w-]+(?:\/[\w.-]+)*\.[a-zA-Z]\w{0,7}(?![\w("'./:])/g) ?? []
  const variables = [...call.place.variables].filter(
    ([name]) => !/^(?:HOME|TMPDIR|PATH)$/.test(name) && new RegExp(`\\b${name}\\b`).test(code),
  )
  const opened = new Set(Array.from(code.matchAll(OPENED), ([, name]) => name!))
  const said = [
    // `open(F, ">x")` of perl has its mode in front.
    ...stringsIn(code).map((text) => known(text.replace(/^\s*\+?>{1,2}\s*/, ''))),
    ...bare.map(known),
    ...Array.from(opened, known),
    ...operands,
    ...(call.stdin ?? []).flatMap(({ text }) => text.split('\n').map(known)),
    ...variables.flatMap(([, values]) => values),
  ]
  const seen = new Set<string>()
  return said.filter((value) => {
    const isTold = isPath(call, value) || opened.has(value.text)
    if (seen.has(value.text) || seen.size > MOST_PATHS || !isTold) return false
    seen.add(value.text)
    return true
  })
}

/** What is handed to these is the name of a file, whatever it looks like: `shelve.open('cache')`. */
const OPENED =
  /(?:\b(?:dbm|shelve|gdbm|[SG]DBM)\.open|\bsqlite3\.connect|\bPStore\.new|(?<![.\w])f?open)\(\s*["']([\w.-]+(?:\/[\w.-]+)*)["']/g

const FILE_NAME =
  /^(?:[\w@.*-]+\/)*(?:[\w@*-][\w@.*-]*)?\.(?:txt|md|mdx|rst|adoc|jsonc?|json5|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|less|[mc]?[jt]sx?|vue|svelte|py|rb|php|pl|pm|sh|bash|zsh|go|rs|java|kts?|scala|c|h|cc|cpp|hpp|cs|swift|lua|r|jl|exs?|erl|hs|ml|clj|sql|db|sqlite3?|csv|tsv|log|out|bak|tmp|patch|diff|tar|t?gz|zip|png|jpe?g|gif|svg|pdf|bin|dat|jar|wasm|snap|proto|graphql|tf|mk|x|tcl|el|scm|nu|lisp|rkt|fsx|nim|zig|vhdl?|sv|f90|adb|ads|dart|groovy|gradle|elm|purs|gleam|sol|nix|tex|bib|ipynb|parquet|rds|pkl|npy|npz|h5|xlsx|docx|webp|woff2?|pot|plist|pem|crt|avro|jsonl|ndjson|pyc|cmake|bzl|j2|tpl|tmpl|hbs|ejs)$/i

function isPath(call: Call, value: Value): boolean {
  const text = literal(value)
  if (text === undefined || text === '' || text.length > 200 || !isKnown(value)) return false
  if (/\s|:\/\/|^[-\d.]+$|^\//.test(text) && !/^\.{1,2}$/.test(text)) return isOwnAbsolute(call, text)
  return FILE_NAME.test(text) || call.isFolder(known(text)) === true || call.isThere(known(text)) === true
}

/** Of absolute paths only those inside the project count here. */
function isOwnAbsolute({ root }: Call, text: string): boolean {
  return root !== undefined && text.startsWith(`${root}/`) && !/\s/.test(text)
}
