// The grammars that a release carries, compressed: 20 MB of WebAssembly become about one and a half.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const require = createRequire(import.meta.url)
// Powershell's takes seconds to compile, and holds up the others meanwhile; nobody names regex files.
const LEFT_OUT = ['tree-sitter-powershell.wasm', 'tree-sitter-regex.wasm', 'tree-sitter.wasm']

/** Writes `<out>/grammars/*.wasm.br`, each once: they change only with their packages. Resolves to the files. */
export function buildGrammars(out) {
  const folder = join(out, 'grammars')
  mkdirSync(folder, { recursive: true })
  const packed = dirname(require.resolve('@vscode/tree-sitter-wasm'))
  const grammars = readdirSync(packed).filter((file) => file.endsWith('.wasm') && !LEFT_OUT.includes(file))
  const sources = [
    require.resolve('web-tree-sitter/web-tree-sitter.wasm'),
    ...grammars.map((file) => join(packed, file)),
  ]
  return sources.map((source) => pack(source, folder))
}

function pack(source, folder) {
  const target = join(folder, `${source.split(/[\\/]/).at(-1)}.br`)
  if (existsSync(target)) return target
  const text = readFileSync(source)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  writeFileSync(target, brotliCompressSync(text, { params }))
  return target
}
