// node scripts/api-docs.mjs [--check]: writes docs/api.md from the schemas in src/protocol/api.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const page = join(root, 'docs', 'api.md')

const { outputFiles } = await build({
  entryPoints: [join(root, 'src', 'protocol', 'api', 'docs.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
})
const { apiDocs } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
)

const next = apiDocs()
if (!process.argv.includes('--check')) writeFileSync(page, next)
else if (!existsSync(page) || next !== readFileSync(page, 'utf8')) {
  console.error('docs/api.md is not what src/protocol/api says. Run: node scripts/api-docs.mjs')
  process.exit(1)
}
