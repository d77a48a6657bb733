import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { isRoutine, isToldToWrite, scaffolded } from '../routine.ts'
import { known, type Output, UNKNOWN } from '../values.ts'
import { heedUnread } from './unread-code.ts'

/** Output options of programs that otherwise do as they like. */
const OUTPUTS =
  'output out outfile out-file output-file outputFile outdir out-dir output-dir output-path outputPath destination coverage-dir report-dir reports-dir junitxml junit-xml log-file report-file'

/** Spelled with one dash they are an output where what they are given looks like a path: `-destination=mocks/store.go`. */
const ONE_DASH = /^-(?:o|out|output|outfile|outdir|destination)(?:=(.+))?$/

const LIKE_A_PATH = /^[\w.@-]*\/[\w./@-]+$|^[\w@-][\w.@-]*\.[a-z]\w{0,7}$/i

/** To them `-o` is something else: offline, a format, an option of their own. */
const OTHER_O = new Set(
  'journalctl systemctl dmesg lsblk findmnt loginctl mvn mvnw gradle gradlew az kubectl oc gcloud pytest py.test helm aws java jest mocha rake tox sbt ps ssh xcodebuild argocd lldb gdb mount curl-config pgrep lsof'.split(
    ' ',
  ),
)

/** What `--output` means to tools that print in one of several forms: `bazel query --output=label`, `nx show --output json`. */
const FORMATS =
  /^(?:line|unix|cli|jsonl|short[\w-]*|json\w*|ndjson|yaml|yml|toml|text\w*|txt|table|wide|labels?|label_kind|graph|xml|proto\w*|csv|tsv|name|human|plain|pretty|compact|short|full|long|markdown|github|gitlab|sarif|junit|tap|teamcity|tree|none|null|default|stylish|concise|build|location|package|minrank|maxrank|files?|starlark|summary\w*|errors?|verbose|quiet|silent|auto|raw|color|colored|progress|dots|dot|streamed_\w+|-)$/i

/**
 * `--out folder` and the like, which nearly every program spells the same way. Of one dash only `-o file` stands for
 * itself: `-count=1` and `-ofline` are names of other options in half of the tools there are.
 */
export function namedOutputs(call: Call): void {
  const base = call.name.replace(/^.*\//, '')
  const short = OTHER_O.has(base) ? [] : call.args.filter((_, at) => call.args[at - 1]?.text === '-o')
  const oneDash = call.args.flatMap((arg, at) => {
    const [, attached = call.args[at + 1]?.text ?? ''] = ONE_DASH.exec(arg.text) ?? [arg, '']
    return LIKE_A_PATH.test(attached) ? known(attached) : []
  })
  const long = call.args.filter(({ text }, at) => text.startsWith('--') || call.args[at - 1]?.text.startsWith('--'))
  const named = readOptions(long, { values: OUTPUTS }).all(...OUTPUTS.split(' '))
  for (const path of OTHER_O.has(base)
    ? []
    : [...short, ...oneDash, ...named].filter(({ text }) => !FORMATS.test(text))) {
    const isByproduct = OUTPUT_FOLDER.test(path.text) && isRoutine(call.name, call.args)
    call.write(path, 'create', { tree: true, maybe: true, ...(isByproduct && { byproduct: true }) })
  }
}

/** Where tests, builds and linters usually put what they make. */
const OUTPUT_FOLDER =
  /^(?:\.\/)?(?:[\w.-]+\/){0,2}(?:target|build|out|output|coverage|htmlcov|reports?|test-results|test-reports|artifacts|\.nyc_output|\.cache|_build|bin|obj|tmp)(?:\/|$)/

/** Everything else: allowed to run, checked afterwards. */
export const unknownProgram: Effect = (call): Output => {
  if (call.args.length === 1 && /^(--?version|-[vVh]|--help|help|version)$/.test(call.args[0]!.text)) return undefined
  namedOutputs(call)
  changesInPlace(call)
  if (!call.name.includes('/')) {
    const made = scaffolded(call.name, call.args)
    if (made) call.write(made === '.' ? HERE : made, 'create', { tree: true })
    const why = `${call.name}: not a command whose writes are known`
    return call.undecided(why, isToldToWrite(call.args) ? undefined : 'local')
  }
  const why = `${call.name}: a program of the project`
  const source = call.sourceOf(known(call.name))
  if (source !== undefined) return heedUnread(call, source, { operands: call.args, why })
  const text = call.scriptAt(known(call.name))
  if (text === undefined || text.includes(UNKNOWN)) return call.undecided(why, isBuilt(call) ? 'local' : undefined)
  call.undecided(why, 'local')
  if (isRoutine(call.name, call.args) && call.textWrittenTo(known(call.name)) === undefined) return undefined
  const interpreter = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([a-z]+)/.exec(text)?.[1] ?? 'sh'
  call.run([known(/^(?:ba|da|z|k)?sh$/.test(interpreter) ? 'sh' : interpreter), known(call.name), ...call.args])
  return undefined
}

/** `--inplace` and the like with the names of files that are there. */
function changesInPlace(call: Call): void {
  if (!call.args.some(({ text }) => /^--?(?:in-?place|overwrite|rewrite)$/.test(text))) return
  for (const path of call.args)
    if (!path.text.startsWith('-') && call.isThere(path) && call.isFolder(path) === false) call.write(path, 'modify')
}

const HERE = known('.')

/** Whether it is a compiled program, or a missing file, and not a script whose text could be read. */
function isBuilt(call: Call): boolean {
  return call.isThere(known(call.name)) === false || !/\.(?!test$|out$|exe$|bin$)\w+$/.test(call.name)
}
