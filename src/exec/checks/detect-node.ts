import type { DetectedCommands } from '#core/ports/repository.ts'
import type { ProjectRoot } from './detect.ts'

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const LOCKFILES: [file: string, manager: Manager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]
const TYPE_SCRIPTS = ['typecheck', 'type-check', 'check-types', 'types', 'check:types', 'tsc']

export function nodeCommands(root: ProjectRoot): DetectedCommands {
  const manifest = readManifest(root.text('package.json'))
  if (!manifest) return {}
  const { scripts } = manifest
  const manager = managerOf(root, manifest.packageManager)
  const script = (name: string) => [manager, 'run', name]
  const types = TYPE_SCRIPTS.find((name) => scripts[name])
  // The placeholder that `npm init` writes is not a test.
  const hasTest = scripts.test !== undefined && !scripts.test.includes('no test specified')
  return {
    ...(hasTest && { test: manager === 'bun' ? script('test') : [manager, 'test'] }),
    ...(scripts.build && { build: script('build') }),
    ...(scripts.lint && { lint: script('lint') }),
    ...(types && { types: script(types) }),
    ...(!types &&
      manifest.usesTypeScript &&
      root.has('tsconfig.json') && { types: ['npx', '--no-install', 'tsc', '--noEmit'] }),
    ...(manifest.hasDependencies && { setup: setupOf(root, manager) }),
  }
}

interface Manifest {
  scripts: Record<string, string | undefined>
  packageManager: string
  usesTypeScript: boolean
  hasDependencies: boolean
}

/** Tolerates any content: a project with a broken manifest has no commands. */
function readManifest(text: string): Manifest | undefined {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null) return undefined
    const fields = read as Record<string, unknown>
    const dependencies = { ...strings(fields.dependencies), ...strings(fields.devDependencies) }
    return {
      scripts: strings(fields.scripts),
      packageManager: typeof fields.packageManager === 'string' ? fields.packageManager : '',
      usesTypeScript: dependencies.typescript !== undefined,
      hasDependencies: Object.keys(dependencies).length > 0 || fields.workspaces !== undefined,
    }
  } catch {
    // No manifest, or one that npm could not read either.
    return undefined
  }
}

function strings(value: unknown): Record<string, string | undefined> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function managerOf(root: ProjectRoot, declared: string): Manager {
  const named = (['pnpm', 'yarn', 'bun', 'npm'] as const).find((name) => declared.startsWith(`${name}@`))
  return LOCKFILES.find(([file]) => root.has(file))?.[1] ?? named ?? 'npm'
}

/** What the lockfile says, and nothing newer. */
function setupOf(root: ProjectRoot, manager: Manager): string[] {
  if (manager === 'npm') return root.has('package-lock.json') ? ['npm', 'ci'] : ['npm', 'install']
  const frozen = manager === 'yarn' && root.has('.yarnrc.yml') ? '--immutable' : '--frozen-lockfile'
  return LOCKFILES.some(([file, owner]) => owner === manager && root.has(file))
    ? [manager, 'install', frozen]
    : [manager, 'install']
}
