import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import { known } from '../values.ts'
import { converter } from './output-options.ts'

/** Converters, reports and indexes: they write what their output option names, or their last word. */
export const converters: Record<string, Effect> = {
  csplit: (call) => {
    const prefix = readOptions(call.args, { values: 'f prefix b suffix-format n digits' }).get('f', 'prefix')
    call.write({ text: `${prefix?.text ?? 'xx'}*`, glob: true }, 'create')
  },
  ctags: indexer('tags'),
  etags: indexer('TAGS'),
  cscope: indexer('cscope.out'),
  tcpdump: converter('w', 'i c s r C G'),
  tree: converter('o', 'L P I filelimit charset sort'),
  mypy: converter(
    'junit-xml html-report xml-report txt-report cobertura-xml-report',
    'config-file p m c python-version',
  ),
  flake8: converter('output-file', 'config select ignore'),
  pylint: converter('output', 'rcfile disable enable'),
  pandoc: converter('o output', 'f from t to template'),
  iconv: converter('o output', 'f from-code t to-code'),
  dot: converter('o', 'T K G'),
  ffmpeg: lastIsOutput,
  convert: lastIsOutput,
  magick: lastIsOutput,
  wkhtmltopdf: lastIsOutput,
  wkhtmltoimage: lastIsOutput,
  latexmk: typesetter,
  latex: typesetter,
  pdflatex: typesetter,
  xelatex: typesetter,
  lualatex: typesetter,
  tectonic: typesetter,
  xxd: (call) => call.write(readOptions(call.args, { values: 'l s c g' }).operands[1], 'create'),
}

function lastIsOutput(call: Call): undefined {
  const output = call.args.at(-1)
  const isRead = /^(?:identify|compare|-version|-list)$/.test(call.args[0]?.text ?? '')
  if (call.args.length < 2 || isRead || !output || output.text.startsWith('-')) return
  // `-f null x`: whatever it is called, it is nowhere.
  if (call.args.at(-2)?.text === 'null' || /^(?:null|info):/.test(output.text)) return
  call.write(output, 'create')
}

/** A build: what it leaves beside its source, or where it is told, is compared afterwards. */
function typesetter(call: Call): undefined {
  const texts = call.args.map(({ text }) => text)
  if (texts.some((text) => /^--?(?:n|c|C|version|help|draftmode|commands|showextraoptions)$/.test(text))) return
  const folder = texts.map((text) => /^--?(?:outdir|output-directory)=(.+)$/.exec(text)?.[1]).find(Boolean)
  if (folder) call.write(known(folder), 'create', { tree: true, byproduct: true })
  call.undecided(`${call.name}: typesets beside its source`, 'local')
}

/** An index of the code, beside it unless it is told where. */
function indexer(usual: string): Effect {
  return (call) => {
    const options = readOptions(call.args, { values: 'f o L s i p' })
    if (options.has('x', 'h', 'V', 'd', 'version', 'help') || call.args.some(({ text }) => text.startsWith('--list-')))
      return
    const target = options.get('f', 'o')
    if (!/^(?:-|\/dev\/stdout)$/.test(target?.text ?? '')) call.write(target ?? known(usual), 'create')
  }
}
