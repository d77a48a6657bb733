// Bundles undici with assertions that cost nothing while they hold, and checks that they are all that undici asks for.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const STAND_IN = join(dirname(fileURLToPath(import.meta.url)), 'lean-assert.cjs')
const UNDICI = /[\\/]node_modules[\\/]undici[\\/]/

/**
 * An esbuild plugin: `lean-assert.cjs` in place of `node:assert` inside undici. The build fails when it does not fit, and
 * also when undici has no use for it, unless that is `optional`.
 */
export function leanAssertions({ optional = false } = {}) {
  return {
    name: 'lean-assertions',
    setup({ onResolve, onEnd }) {
      const importers = new Set()
      onResolve({ filter: /^(node:)?assert(\/strict)?$/ }, ({ importer }) => {
        if (!UNDICI.test(importer)) return undefined
        importers.add(importer)
        return { path: STAND_IN }
      })
      onEnd(() => {
        const isUnused = importers.size === 0 && !optional
        return { errors: (isUnused ? [UNUSED] : misfits([...importers])).map((text) => ({ text })) }
      })
    },
  }
}

const UNUSED = 'undici no longer requires node:assert: remove scripts/lean-assert.mjs and scripts/lean-assert.cjs.'

/** What keeps the stand-in from being used in these files, in words. */
function misfits(files) {
  const offered = Object.keys(createRequire(import.meta.url)(STAND_IN))
  return files.flatMap((file) =>
    missingMethods(readFileSync(file, 'utf8'), offered).map(
      (what) => `${file} uses ${what} of node:assert, which scripts/lean-assert.cjs has not. Add it there.`,
    ),
  )
}

const REQUIRED_WHOLE = /\b(?:const|let|var) (\w+) = require\(['"](?:node:)?assert['"]\)/

/** What a CommonJS source uses of `node:assert` besides calling it, and `offered` has not. */
export function missingMethods(source, offered) {
  const name = REQUIRED_WHOLE.exec(source)?.[1]
  if (name === undefined) return ['something else than the function itself']
  const used = [...source.matchAll(new RegExp(`(?<![.\\w])${name}\\??\\.(\\w+)`, 'g'))].map(([, method]) => method)
  return [...new Set(used)].filter((method) => !offered.includes(method)).map((method) => `.${method}`)
}
