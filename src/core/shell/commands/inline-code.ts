import type { Call, WriteKind } from '../call.ts'
import { asText, copyPlace } from '../expand.ts'
import { glob, known, type Output, type Value } from '../values.ts'
import { codeAlone, withJoinedTexts } from './code-text.ts'
import { isHarmless } from './harmless-code.ts'
import { heedUnread } from './unread-code.ts'

/** Languages whose one-liners we read. */
export type CodeLanguage = 'python' | 'node' | 'ruby' | 'perl' | 'php'

/** Beyond this it is data, not code written by hand. */
const LONGEST = { code: 100_000, call: 5000, expression: 400 }

interface WriteCall {
  /** Matches up to the opening parenthesis of a writing call. */
  call: RegExp
  kind: WriteKind
  /** Which arguments are paths; `self` is the object the method is called on. */
  paths?: (number | 'self')[]
  /** Only a write when this argument says so: the mode of `open`. */
  mode?: { at: number; name?: string; writes: RegExp }
  tree?: true
}

interface CodeRules {
  calls: WriteCall[]
  /** Calls without parentheses that say that they only read. */
  reads?: RegExp
  /** Anything here may write in ways we cannot see. */
  opaque: RegExp
  /** Modules that do nothing by being loaded. */
  imports: RegExp
  harmless: RegExp
}

/** Finds the literal paths a piece of inline code writes; what else it may do is left undecided. */
export function inlineCode(
  call: Call,
  language: CodeLanguage,
  given: string | undefined,
  operands: readonly Value[] = [],
): Output {
  if (given === undefined || given.length > LONGEST.code) {
    return call.undecided(`${call.name}: its code is ${given ? 'too long to read' : 'only known when it runs'}`)
  }
  const code = withJoinedTexts(language, given)
  runHanded(call, language, code)
  const rules = LANGUAGES[language]
  const names = literalNames(code)
  const alone = withoutReads(codeAlone(language, code), code, rules.reads)
  let isClear = !rules.opaque.test(alone) && !LINKS.test(alone)
  for (const found of alone.matchAll(rules.imports)) {
    const modules = (found[1] ?? found[2] ?? '').split(',').map((name) => name.trim())
    if (!modules.every((name) => rules.harmless.test(name))) isClear = false
  }
  let rest = alone
  let isWriting = false
  for (const rule of rules.calls) {
    rest = rest.replace(rule.call, withoutName)
    for (const match of alone.matchAll(rule.call)) {
      const args = callArguments(code, match.index + match[0].length)
      if (rule.mode && !writesByMode(args, rule.mode)) continue
      for (const at of rule.paths ?? [0]) {
        const self = code.slice(match.index, match.index + (match[1]?.length ?? 0))
        const paths = pathsOf(at === 'self' ? self : args[at], names)
        if (!paths) isClear = false
        if (!paths) isWriting = true
        for (const path of paths ?? [])
          call.write(
            /[*?]/.test(path) ? glob(path) : known(path),
            at === 0 && rule.paths?.length === 2 && rule.kind === 'create' ? 'move' : rule.kind,
            rule.tree ? { tree: true } : {},
          )
      }
    }
  }
  if (!isClear || !isHarmless(language, rest))
    heedUnread(call, code, {
      rest,
      operands,
      isWriting,
      why: `${call.name}: the code may write more than can be read from it`,
    })
}

const RUN_AS: Record<CodeLanguage, [program: string, code: string]> = {
  python: ['python3', '-c'],
  node: ['node', '-e'],
  ruby: ['ruby', '-e'],
  perl: ['perl', '-e'],
  php: ['php', '-r'],
}
const RUNS_TEXT = /\b(?:eval|exec|Function|runInThisContext|instance_eval|class_eval)\b/
const RUNS_SHELL = /\b(?:system|popen|Popen|subprocess|child_process|shell_exec|passthru)\b/
const READS_INPUT = /\bstdin\b|\bSTDIN\b|\$stdin|\binput\(|readFileSync\(\s*(?:0|["']\/dev\/stdin)|<STDIN>|<>/
/** The file whose text is run: `exec(open('x.py').read())`, `runpy.run_path('x.py')`, `load 'x.rb'`, `do './x.pl'`. */
const LOADED =
  /\b(?:exec|eval|run_path|load|require|require_relative|include(?:_once)?|require_once|do|import)\b[^;\n"']{0,60}["'](\.{0,2}\/?[\w./-]+\.(?:py|[mc]?js|rb|php|p[lm]))["']/g

/** `open(P, "| cat > x")` and `open(P, "-|", "make")` of perl, `open("|make")` of ruby. */
const PIPED_OPEN =
  /\bopen\b[\s(]{1,4}(?:(?:my\s+)?[$\w]+\s*,\s*)?(?:["']\s*\|\s*(?!-)([^"'\n]{1,500})["']|(["'])(?:\|-|-\|)\2\s*,\s*["']([^"'\n]{1,500})["'])/g

/** Code that runs what it is handed: a text packed into letters, its input, another file. Each is read as if it were run itself. */
function runHanded(call: Call, language: CodeLanguage, code: string): void {
  const [program, option] = RUN_AS[language]
  for (const [, file] of code.matchAll(LOADED))
    if (call.scriptAt(known(file!)) !== undefined) call.run([known(program), known(file!)])
  for (const [, piped, , command] of code.matchAll(PIPED_OPEN))
    call.script((piped ?? command)!, { place: copyPlace(call.place) })
  const [runsText, runsShell] = [RUNS_TEXT.test(code), RUNS_SHELL.test(code)]
  if (!runsText && !runsShell) return
  const input = READS_INPUT.test(code) ? asText(call.stdin) : undefined
  for (const text of [...packedTexts(code), ...(input === undefined ? [] : [input])]) {
    if (runsText) call.run([known(program), known(option), known(text)], { stdin: undefined })
    if (runsShell) call.script(text, { place: copyPlace(call.place) })
  }
}

/** Texts in base64 or in hexadecimal numbers. */
function packedTexts(code: string): string[] {
  return Array.from(code.matchAll(/["']([A-Za-z0-9+/]{12,8000}={0,2})["']/g)).flatMap(([, packed]) => {
    const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(packed!)
    if (!isHex && packed!.length % 4 !== 0) return []
    const text = isHex
      ? packed!.replace(/../g, (digits) => String.fromCharCode(Number.parseInt(digits, 16)))
      : atob(packed!)
    return /^[\t\n\r\x20-\x7e]+$/.test(text) ? [text] : []
  })
}

/** What is written through a link lands elsewhere. */
const LINKS = /symlink|hardlink|\blink(?:Sync)?\(|\bln(?:_s)?\(/

/** The calls that only read are found in the whole code, where the mode can be seen, and blanked where only the code is left. */
function withoutReads(alone: string, code: string, reads: RegExp | undefined): string {
  if (!reads) return alone
  let result = alone
  for (const { index, 1: name } of code.matchAll(reads))
    result = result.slice(0, index) + '_'.repeat(name!.length) + result.slice(index + name!.length)
  return result
}

/** `os.remove(` is understood, and need not be looked at again. */
function withoutName(head: string): string {
  return head.replace(/(?<!\w)\w+(?=\s*\($)/, (name) => '_'.repeat(name.length))
}

const SELF = String.raw`(?<!\w)((?:pathlib\.)?Path\([^()]{0,200}\)|[A-Za-z_]\w*)`

const LANGUAGES: Record<CodeLanguage, CodeRules> = {
  python: {
    calls: [
      {
        call: /(?<![.\w])(?:io\.|codecs\.|builtins\.)?open\(/g,
        kind: 'create',
        mode: { at: 1, name: 'mode', writes: /^[rb]*[wax+]/ },
      },
      {
        call: new RegExp(`(?!os\\.|dbm\\.|shelve\\.)${SELF}\\.open\\(`, 'g'),
        kind: 'create',
        paths: ['self'],
        mode: { at: 0, name: 'mode', writes: /^[rb]*[wax+]/ },
      },
      { call: new RegExp(`${SELF}\\.(?:write_text|write_bytes|touch|mkdir)\\(`, 'g'), kind: 'create', paths: ['self'] },
      { call: new RegExp(`${SELF}\\.(?:unlink|rmdir)\\(`, 'g'), kind: 'delete', paths: ['self'] },
      { call: /\bdbm(?:\.\w+)?\.open\(/g, kind: 'create', mode: { at: 1, name: 'flag', writes: /^[cwn]/ } },
      { call: /\bshelve\.open\((?![^()]{0,200}["']r["'])/g, kind: 'create' },
      { call: /\bos\.(?:remove|unlink|rmdir|removedirs)\(/g, kind: 'delete' },
      { call: /\bos\.(?:mkdir|makedirs)\(/g, kind: 'create' },
      { call: /\bos\.(?:rename|replace)\(|\bshutil\.move\(/g, kind: 'create', paths: [0, 1] },
      { call: /\bshutil\.copy(?:file|2)?\(/g, kind: 'create', paths: [1] },
      { call: /\bos\.(?:symlink|link)\(/g, kind: 'create', paths: [1] },
      { call: /\bos\.(?:chmod|chown|truncate|utime|mkfifo)\(/g, kind: 'modify' },
      { call: new RegExp(`${SELF}\\.(?:chmod|symlink_to|hardlink_to)\\(`, 'g'), kind: 'create', paths: ['self'] },
      { call: new RegExp(`${SELF}\\.rename\\(`, 'g'), kind: 'create', paths: ['self', 0] },
      { call: /\bshutil\.copytree\(/g, kind: 'create', paths: [1], tree: true },
      { call: /\bshutil\.rmtree\(/g, kind: 'delete', tree: true },
    ],
    opaque:
      /\b(subprocess|os\.system|os\.popen|os\.exec|exec\(|eval\(|__import__|runpy|fileinput|savefig|to_csv|to_json|to_parquet|to_excel|sqlite3|\.save\(|extractall|call_command)/,
    imports: /(?:^|[;\n])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([^\n;#]+))/g,
    harmless:
      /^(json|sys|re|math|datetime|collections|itertools|functools|pathlib|os|yaml|csv|base64|hashlib|urllib|random|time|string|textwrap|ast|platform|importlib|tomllib|glob|io|codecs|shutil|typing|dataclasses|struct|uuid|html|xml|pprint|statistics|difflib|operator|decimal|fractions|secrets|locale|unicodedata|tokenize|inspect|zlib|)(\.[\w.]+)?(\s+as\s+\w+)?$/,
  },
  node: {
    calls: [
      {
        call: /\b(?:writeFile|appendFile|createWriteStream|mkdir|outputFile|outputJson|writeJson|ensureDir|truncate)(?:Sync)?\(/g,
        kind: 'create',
      },
      {
        call: /\b(?:unlink|rm|rmdir|remove)(?:Sync)\(|\bfs(?:\.promises|p)?\.(?:unlink|rm|rmdir)\(/g,
        kind: 'delete',
        tree: true,
      },
      { call: /\b(?:rename)(?:Sync)?\(/g, kind: 'create', paths: [0, 1] },
      {
        call: /\b(?:copyFile|cp|symlink)(?:Sync)\(|\bfs(?:\.promises|p)?\.(?:copyFile|cp|symlink)\(/g,
        kind: 'create',
        paths: [1],
      },
      { call: /\bBun\.write\(|\bDeno\.write(?:TextFile)?(?:Sync)?\(/g, kind: 'create' },
    ],
    opaque: /child_process|execSync|spawn|\beval\(|new Function|process\.chdir|worker_threads|\bfs\s*\[/,
    imports: /require\(\s*['"]([^'"]+)['"]\s*\)|\bfrom\s+['"]([^'"]+)['"]/g,
    harmless:
      /^((node:)?(fs|path|os|util|crypto|url|assert|events|buffer|querystring|v8|perf_hooks|zlib|readline|module)(\/promises)?|(\.{1,2}\/|[\w@]).*\.json)$/,
  },
  ruby: {
    calls: [
      { call: /\b(?:File|IO)\.(?:write|binwrite)\(/g, kind: 'create' },
      { call: /\bFile\.(?:open|new)\(/g, kind: 'create', mode: { at: 1, writes: /^[wa]|\+/ } },
      { call: /\bFile\.(?:delete|unlink)\(/g, kind: 'delete' },
      { call: /\bFile\.rename\(/g, kind: 'create', paths: [0, 1] },
      { call: /\bFileUtils\.(?:touch|mkdir_p|mkdir)\(/g, kind: 'create' },
      { call: /\bFileUtils\.(?:rm_rf|rm_r|rm_f|rm)\(/g, kind: 'delete', tree: true },
      { call: /\bFileUtils\.(?:mv|move)\(/g, kind: 'create', paths: [0, 1] },
      { call: /\bFileUtils\.(?:cp|cp_r|copy|ln|ln_s|install)\(/g, kind: 'create', paths: [1] },
    ],
    // Without parentheses its arguments have no end that could be found by looking.
    opaque:
      /\b(system|exec|spawn|eval|instance_eval|Rails|ActiveRecord)\b|`|%x|\b(?:File|IO|FileUtils|Dir|Pathname)\.(?!exist|read|file|directory|join|basename|dirname|expand|foreach|glob|size|stat)\w+[!?]?\s+[\w'":[]/,
    imports: /\brequire\s*(?:\(\s*)?['"]([^'"]+)['"]/g,
    harmless: /^(json|yaml|set|date|time|csv|digest|fileutils|pathname|pp|erb|uri|securerandom|)$/,
  },
  perl: {
    calls: [{ call: /\bopen\s*\(/g, kind: 'create', paths: [2], mode: { at: 1, writes: /^(\+?>|\+<)/ } }],
    // `open my $in, '<', 'x'`
    reads: /\b(open)\s+(?:my\s+)?\$?\w+\s*,\s*["']<(?::[\w():-]{1,40})?["']\s*,/g,
    opaque: /\b(system|exec|unlink|rename|mkdir|rmdir|open\s+[^(]|do\s+['"])|`|\bqx\b/,
    imports: /\buse\s+([\w:]+)/g,
    harmless:
      /^(strict|warnings|utf8|feature|List::Util|POSIX|Data::Dumper|JSON::PP|JSON|File::Basename|File::Spec|Cwd|)$/,
  },
  php: {
    calls: [
      { call: /\bfile_put_contents\(/g, kind: 'create' },
      { call: /\bfopen\(/g, kind: 'create', mode: { at: 1, writes: /^[waxc]|\+/ } },
      { call: /\b(?:touch|mkdir)\(/g, kind: 'create' },
      { call: /\b(?:unlink|rmdir)\(/g, kind: 'delete' },
      { call: /\brename\(/g, kind: 'create', paths: [0, 1] },
      { call: /\bcopy\(/g, kind: 'create', paths: [1] },
    ],
    // A function may be called by its name in a text.
    opaque:
      /\b(exec|shell_exec|system|passthru|proc_open|popen|eval|include|require)\b|`|\barray_(?:map|walk|filter)\s*\(\s*["'](?!(?:\w*trim|str\w+|\w+val|ucfirst|\w+name|json_\w+|count|is_\w+)["'])/,
    imports: /(?!)/g,
    harmless: /^/,
  },
}

function writesByMode(args: string[], mode: NonNullable<WriteCall['mode']>): boolean {
  const named = mode.name && args.find((arg) => new RegExp(`^${mode.name}\\s*=`).test(arg))
  const given = named ? named.replace(/^[^=]*=\s*/, '') : args[mode.at]
  if (!given || /^\w+\s*=/.test(given)) return false
  const text = stringOf(given)
  // A mode in a variable may be any mode.
  return text === undefined ? true : mode.writes.test(text)
}

/** The top-level arguments of a call whose opening parenthesis was just passed. */
function callArguments(code: string, start: number): string[] {
  const args: string[] = []
  let depth = 0
  let from = start
  const end = Math.min(code.length, start + LONGEST.call)
  for (let at = start; at < end; at++) {
    const letter = code[at]!
    if (letter === '"' || letter === "'" || letter === '`') {
      at = endOfString(code, at)
    } else if ('([{'.includes(letter)) depth++
    else if (letter === ')' && depth === 0) {
      args.push(code.slice(from, at).trim())
      break
    } else if (')]}'.includes(letter)) depth--
    else if (letter === ',' && depth === 0) {
      args.push(code.slice(from, at).trim())
      from = at + 1
    }
  }
  return args.filter(Boolean)
}

function endOfString(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++
    else if (code[at] === code[start]) return at
  }
  return code.length
}

/** Names that stand for literal paths: `p = 'a'`, `const p = "a"`, `for p in ['a', 'b']`. */
function literalNames(code: string): Map<string, string[]> {
  const names = new Map<string, string[]>()
  const assignments =
    /(?:^|[\n;{(])[ \t]*(?:(?:const|let|var|my)[ \t]+)?[$@]?([A-Za-z_]\w*)[ \t]*=(?![=>])[ \t]*([^\n;]+)/g
  for (const [, name, value] of code.matchAll(assignments)) {
    const paths = pathsOf(value!.trim(), names)
    // A name that takes several values may be any of them.
    if (paths) names.set(name!, [...(names.get(name!) ?? []), ...paths])
  }
  const loops = /\bfor\s+\(?(?:const\s+|let\s+)?([A-Za-z_]\w*)\s+(?:in|of)\s+([[(][^\])]*[\])]|[A-Za-z_]\w*)/g
  for (const [, name, list] of code.matchAll(loops)) {
    const paths = pathsOf(list, names) ?? listOf(list!)
    if (paths) names.set(name!, paths)
  }
  for (const [, name, folder, isDeep, pattern] of code.matchAll(FOUND)) {
    const folders = folder === 'glob' ? ['.'] : pathsOf(folder, names)
    if (folders)
      names.set(
        name!,
        folders.map((one) => `${one}/${isDeep ? '**/' : ''}${pattern}`),
      )
  }
  return names
}

/** `for p in Path('src').rglob('*.ts')`, `for p in root.glob('*.ts')`. */
const FOUND =
  /\bfor\s+([A-Za-z_]\w*)\s+in\s+(?:(?:sorted|list|set)\()?((?:pathlib\.)?Path\([^()]{0,200}\)|[A-Za-z_]\w*)\.(r?)glob\(\s*["']([^"'\n]+)["']/g

function listOf(text: string): string[] | undefined {
  if (!/^[[(]/.test(text)) return undefined
  const items = callArguments(`${text.slice(1, -1)})`, 0).map(stringOf)
  return items.length > 0 && items.every((item) => item !== undefined) ? (items as string[]) : undefined
}

/** The paths an expression stands for, when its letters are all there. */
function pathsOf(expression: string | undefined, names: Map<string, string[]>): string[] | undefined {
  if (!expression || expression.length > LONGEST.expression) return undefined
  const text = expression.trim()
  const plain = stringOf(text)
  if (plain !== undefined) return [plain]
  const name = /^[$@]?([A-Za-z_]\w*)$/.exec(text)
  if (name) return names.get(name[1]!)
  const list = listOf(text)
  if (list) return list
  const joined = /^(?:(?:pathlib\.)?Path|(?:os\.)?path\.(?:join|resolve)|File\.join)\((.*)\)$/s.exec(text)
  if (joined) return joined[1] === '' ? ['.'] : product(callArguments(`${joined[1]})`, 0), names)
  const divided = dividedParts(text)
  return divided.length > 1 ? product(divided, names) : undefined
}

/** `a / 'b/c'` is two parts: a slash inside quotes divides nothing. */
function dividedParts(text: string): string[] {
  const parts = ['']
  for (const piece of text.match(/'[^']*'|"[^"]*"|\/|[^'"/]+|['"]/g) ?? []) {
    if (piece === '/') parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map((part) => part.trim())
}

function product(parts: string[], names: Map<string, string[]>): string[] | undefined {
  let paths = ['']
  for (const part of parts) {
    const choices = part === '__dirname' || part === 'process.cwd()' ? ['.'] : pathsOf(part, names)
    if (!choices) return undefined
    paths = paths.flatMap((path) =>
      choices.map((choice) => (path === '' ? choice : `${path.replace(/\/$/, '')}/${choice}`)),
    )
  }
  return paths
}

/** The letters of a string literal without interpolation. */
function stringOf(text: string): string | undefined {
  const found = /^[rbu]?(?:'([^'\\]*)'|"([^"\\]*)"|`([^`\\$]*)`)$/.exec(text)
  if (!found) return undefined
  return found[1] ?? found[2] ?? found[3]
}
