// node scripts/config-table.mjs [--check]: writes the tables of docs/configuration.md from src/config/config.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const page = join(root, 'docs', 'configuration.md')
const [BEGIN, END] = ['<!-- settings: begin -->', '<!-- settings: end -->']

const { outputFiles } = await build({
  entryPoints: [join(root, 'scripts', 'settings-tables.ts')],
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
})
const { settingsTables } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
)

const now = readFileSync(page, 'utf8')
const next = `${now.slice(0, now.indexOf(BEGIN) + BEGIN.length)}\n\n${settingsTables()}\n\n${now.slice(now.indexOf(END))}`

if (!process.argv.includes('--check')) writeFileSync(page, next)
else if (next !== now) {
  console.error('docs/configuration.md is not what src/config/config.ts says. Run: node scripts/config-table.mjs')
  process.exit(1)
}
