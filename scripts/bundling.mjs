// What every bundle of Grove has in common.

/** Native, or looked for by a package that works without. */
export const EXTERNAL = ['@photostructure/sqlite', 'pg-native']

/** Some bundled packages are CommonJS and require Node's own modules, which a module of the new kind cannot by itself. */
export const REQUIRE =
  "import { createRequire as groveRequire } from 'node:module'; const require = groveRequire(import.meta.url);"
