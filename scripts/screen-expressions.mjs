// In place of regular expressions, such as are compiled only for a text that has the letters they need (src/core/text/screened.ts).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'
import { ancestor } from 'acorn-walk'
import { build, transform } from 'esbuild'
import { EDGE, neededLetters } from './needed-letters.mjs'

/** Shorter ones are compiled in no time. */
const SHORTEST = 30

const RUNTIME = 'src/core/text/screened.ts'

/**
 * An esbuild plugin for the modules whose paths fit `of`. Expressions that a module makes from parts, by `new RegExp`, are known by
 * what `samples` makes of them: the source of a module that is run for that.
 */
export async function screenExpressions(root, of, samples) {
  const pack = await packing(root)
  const made = await madeBy(root, of, samples)
  const table = {}
  for (const { source, flags } of made) {
    const needs = source.length >= SHORTEST ? pack(source, flags) : undefined
    if (needs !== undefined) table[`${flags}/${source}`] = needs
  }
  return {
    name: 'screen-expressions',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^grove:made$/ }, () => ({ path: 'made', namespace: 'screened' }))
      onLoad({ filter: /.*/, namespace: 'screened' }, () => ({
        contents: madeModule(root, table),
        resolveDir: root,
        loader: 'js',
      }))
      onLoad({ filter: of }, async ({ path }) =>
        path.endsWith(RUNTIME) ? undefined : { contents: await screenedModule(path, root, pack), loader: 'js' },
      )
    },
  }
}

/** What an expression needs, in the form that src/core/text/screened.ts reads; undefined where that cannot be told. */
export async function packing(root) {
  const letters = await loaded(root, { contents: `export * from './${RUNTIME}'`, resolveDir: root })
  return (source, flags) => {
    const needs = neededLetters(source, flags)
    return needs && packed(needs, letters)
  }
}

const madeModule = (root, table) => `
  import { screened } from ${JSON.stringify(join(root, RUNTIME))}
  const table = new Map(Object.entries(${JSON.stringify(table)}))
  export const made = (source, flags = '') => {
    const needs = typeof source === 'string' ? table.get(flags + '/' + source) : undefined
    return needs === undefined ? new RegExp(source, flags) : screened(source, flags, needs)
  }`

/** The expressions that the modules make from parts while the samples run. */
async function madeBy(root, of, samples) {
  const found = new Map()
  globalThis.groveMade = (source, flags = '') => {
    const made = new RegExp(source, flags)
    found.set(String(made), made)
    return made
  }
  const recording = {
    name: 'record-expressions',
    setup({ onLoad }) {
      onLoad({ filter: of }, async ({ path }) => ({
        contents: await rewritten(path, ({ type, callee, start }) =>
          isMaking(type, callee) ? { start, end: callee.end, by: 'groveMade' } : undefined,
        ),
        loader: 'js',
      }))
    },
  }
  await loaded(root, { contents: samples, resolveDir: root }, [recording])
  delete globalThis.groveMade
  return [...found.values()]
}

async function loaded(root, stdin, plugins = []) {
  const bundled = { absWorkingDir: root, bundle: true, platform: 'node', format: 'esm', write: false, plugins }
  const { outputFiles } = await build({ ...bundled, stdin: { ...stdin, loader: 'ts' }, logLevel: 'warning' })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`)
}

async function screenedModule(path, root, pack) {
  const kept = []
  const code = await rewritten(path, (node, parents) => {
    if (isMaking(node.type, node.callee)) return { start: node.start, end: node.callee.end, by: 'grove$made' }
    const { regex } = node
    const isKept = isInFunction(parents)
    // One that is made anew with each call begins at the beginning of a text.
    if (!regex || regex.pattern.length < SHORTEST || (isKept && /[gy]/.test(regex.flags) && !isHandedOver(parents)))
      return undefined
    const needs = pack(regex.pattern, regex.flags)
    if (needs === undefined) return undefined
    const call = `grove$screened(${[regex.pattern, regex.flags, needs].map((text) => JSON.stringify(text)).join(', ')})`
    if (!isKept) return { start: node.start, end: node.end, by: call }
    kept.push(call)
    return { start: node.start, end: node.end, by: `grove$kept${kept.length - 1}()` }
  })
  // Hoisted: a module may call its own functions before all of it has run.
  const names = kept.map(
    (call, at) => `var grove$as${at}\nfunction grove$kept${at}() { return (grove$as${at} ??= ${call}) }`,
  )
  return [
    `import { screened as grove$screened } from ${JSON.stringify(join(root, RUNTIME))}`,
    `import { made as grove$made } from 'grove:made'`,
    code,
    ...names,
  ].join('\n')
}

/** A module in JavaScript with some of its nodes replaced. */
async function rewritten(path, replaced) {
  const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'ts', target: 'node20', charset: 'utf8' })
  const changed = []
  const look = (node, _, parents) => {
    const change = replaced(node, parents)
    if (change) changed.push(change)
  }
  ancestor(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), { Literal: look, NewExpression: look })
  return changed
    .sort((one, other) => other.start - one.start)
    .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code)
}

function isMaking(type, callee) {
  return type === 'NewExpression' && callee.type === 'Identifier' && callee.name === 'RegExp'
}

function isInFunction(parents) {
  return parents.some(({ type }) => /Function/.test(type))
}

/** `text.replace(/…/g, …)`: strings begin at the beginning whatever the last index is. */
function isHandedOver(parents) {
  const { type, callee, arguments: handed } = parents.at(-2)
  const isFirst = type === 'CallExpression' && handed[0] === parents.at(-1)
  return isFirst && /^(?:replace|replaceAll|match|matchAll|split)$/.test(callee.property?.name ?? '')
}

/** Two grams of each text, those that fewest texts have. */
function packed(needs, { gramOf, isLetter, EDGE: edge }) {
  const pairs = needs.map((need) => {
    const grams = gramsOf(need, isLetter, edge).sort((one, other) => rarity(other) - rarity(one))
    const [first, second = first] = grams.map((gram) => gramOf(...gram))
    return String.fromCharCode(first, second)
  })
  return [...new Set(pairs)].join('')
}

function gramsOf(need, isLetter, edge) {
  const signs = [...need].map((sign) => sign.charCodeAt(0))
  const letters = signs.filter((code) => code !== edge)
  const [one, two] = letters
  const found = letters.length === 1 ? [[0, 0, one]] : letters.length === 2 ? [[0, one, two]] : []
  for (let at = 2; at < letters.length; at++) found.push(letters.slice(at - 2, at + 1))
  for (const [at, code] of signs.entries()) {
    if (code !== edge) continue
    const before = signs
      .slice(0, at)
      .filter((other) => other !== edge)
      .slice(-2)
    const after = signs
      .slice(at + 1)
      .filter((other) => other !== edge)
      .slice(0, 2)
    if (signs[at + 1] !== undefined && isLetter(after[0]))
      found.push(after.length === 2 ? [edge, ...after] : [0, edge, after[0]])
    if (signs[at - 1] !== undefined && isLetter(before.at(-1)))
      found.push(before.length === 2 ? [...before, edge] : [0, before[0], edge])
  }
  if (need === `${EDGE}${String.fromCharCode(one)}${EDGE}` && isLetter(one)) return [[edge, one, edge]]
  return found
}

const COMMON = ' etaoinsrhldcumfpgwybvkxjqz'

function rarity(gram) {
  return gram.reduce(
    (sum, code) => sum + (code === 0 ? 0 : code === 1 ? 4 : (COMMON.indexOf(String.fromCharCode(code)) + 28) % 28),
    0,
  )
}
