// What every bundle of Grove has in common.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

/** Native, or looked for by a package that works without. */
export const EXTERNAL = ['@photostructure/sqlite', 'pg-native']

/** Some bundled packages are CommonJS and require Node's own modules, which a module of the new kind cannot by itself. */
export const REQUIRE =
  "import { createRequire as groveRequire } from 'node:module'; const require = groveRequire(import.meta.url);"

/** Gives undici assertions that cost nothing while they hold. */
export function leanAssertions() {
  return {
    name: 'lean-assertions',
    setup({ onResolve }) {
      onResolve({ filter: /^node:assert$/ }, ({ importer }) =>
        /[\\/]node_modules[\\/]undici[\\/]/.test(importer) ? { path: join(here, 'lean-assert.cjs') } : undefined,
      )
    },
  }
}
