import { join, resolve } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import type { ContentSource } from '#core/shell/call.ts'
import { patchTargets } from '#core/shell/patch.ts'
import { statOf } from './file-hash.ts'
import { gitPlace } from './git/head.ts'
import { look } from './git/look-only.ts'
import { run } from './spawn.ts'

const PATIENCE_MS = 5000
const LARGEST_PATCH = 8 * 1024 * 1024
const MOST_NAMES = 5000

/** The files that a patch, an archive, commits or a stash would write, as absolute paths; undefined when that cannot be read. */
export async function contentNames(source: ContentSource): Promise<string[] | undefined> {
  const { cwd, folder = '.', strip = 0 } = source
  const into = resolve(cwd, folder)
  switch (source.kind) {
    case 'patch':
      return ofPatches(source).flatMap((name) => resolve(into, name))
    case 'tar':
      return members(source, into, strip, 'tar', ['-tf'])
    case 'zip':
      return members(source, into, strip, 'unzip', ['-Z1'])
    case 'cpio':
      return members(source, into, strip, 'cpio', ['-it', '--quiet', '-F'])
    default:
      return ofGit(source)
  }
}

function ofPatches({ from, cwd, strip = 1 }: ContentSource): string[] {
  return from.flatMap((name) => {
    const file = resolve(cwd, name)
    const stat = statOf(file)
    if (!stat?.isFile() || stat.size > LARGEST_PATCH) return []
    const text = plainText(file, { most: LARGEST_PATCH }) ?? ''
    // Without -p the program looks for the name as it is, and for its last part.
    return strip < 0
      ? [0, 1]
          .flatMap((each) => patchTargets(text, each).map(({ path }) => path))
          .filter((path) => statOf(resolve(cwd, path)))
      : patchTargets(text, strip).map(({ path }) => path)
  })
}

async function members(source: ContentSource, into: string, strip: number, program: string, args: string[]) {
  const file = resolve(source.cwd, source.from[0]!)
  if (!statOf(file)?.isFile()) return undefined
  // A program that is missing or hangs has read nothing.
  const { code, stdout } = await run(program, [...args, file], { timeoutMs: PATIENCE_MS }).catch(() => ({
    code: 1,
    stdout: '',
  }))
  if (code !== 0) return undefined
  return stdout
    .split('\n')
    .filter((name) => name !== '' && !name.endsWith('/'))
    .slice(0, MOST_NAMES)
    .map((name) => name.split('/').slice(strip).join('/'))
    .filter(Boolean)
    .map((name) => join(into, name))
}

/** Options of `git diff` that change which files it names. */
const HARMLESS = /^(?:--|-R|-[pu]|--(?:cached|staged|merge-base|binary|patch|full-index|stat|no-color))$/

async function ofGit({ kind, from, cwd, folder }: ContentSource): Promise<string[] | undefined> {
  const place = gitPlace(cwd)
  const isNamed = kind === 'diff' || kind === 'tree'
  if (!place || from.some((name) => name.startsWith('-') && !(isNamed && HARMLESS.test(name)))) return undefined
  const ask = async (args: string[]) => {
    const { code, stdout } = await look(isNamed ? cwd : place.top, args, { timeoutMs: PATIENCE_MS })
    return code === 0 ? stdout.split('\0').map((name) => name.trim()) : undefined
  }
  const names = ['--name-only', '--no-renames', '-z']
  const whole =
    kind === 'diff'
      ? ask(['diff', '--no-ext-diff', '--no-relative', ...names, ...from])
      : kind === 'tree'
        ? ask(['ls-tree', '-r', '-z', '--name-only', '--full-tree', ...from])
        : undefined
  const asked = (whole ? [] : from).map((name) => {
    if (kind === 'stash') return ask(['diff', ...names, `${name}^1`, name, '--'])
    if (kind === 'merge') return ask(['diff', ...names, `HEAD...${name}`, '--'])
    if (kind === 'branch') return ask(['diff', ...names, 'HEAD', name, '--'])
    const isRange = name.includes('..')
    return ask([isRange ? 'log' : 'show', '--format=', '-m', '--first-parent', ...names, name, '--'])
  })
  const found = await Promise.all(whole ? [whole] : asked)
  if (found.some((one) => one === undefined)) return undefined
  return [...new Set(found.flatMap((one) => one!).filter(Boolean))]
    .slice(0, MOST_NAMES)
    .map((name) => join(folder === undefined ? place.top : resolve(cwd, folder), name))
}
