import type { DetectedCommands } from '#core/ports/repository.ts'
import type { ProjectRoot } from './detect.ts'

const MARKS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini', 'tox.ini']

export function pythonCommands(root: ProjectRoot): DetectedCommands {
  if (!MARKS.some(root.has)) return {}
  const settings = root.text('pyproject.toml')
  const all = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt']
    .map(root.text)
    .join('\n')
  const tool = (name: string, ...args: string[]) => runnerOf(root, name, args)
  const hasTests = root.has('pytest.ini') || root.has('tests') || root.has('test') || /\bpytest\b/.test(all)
  const linter = linterOf(root, settings, all)
  return {
    ...(hasTests && { test: tool('pytest') }),
    ...(settings.includes('[build-system]') && { build: module(root, 'build') }),
    ...(linter && { lint: linter === 'ruff' ? tool('ruff', 'check', '.') : tool('flake8') }),
    ...((root.has('mypy.ini') || all.includes('[tool.mypy]') || all.includes('[mypy]')) && {
      types: tool('mypy', '.'),
    }),
    ...setupOf(root),
  }
}

function linterOf(root: ProjectRoot, settings: string, all: string): 'ruff' | 'flake8' | undefined {
  if (root.has('ruff.toml') || root.has('.ruff.toml') || settings.includes('[tool.ruff')) return 'ruff'
  if (root.has('.flake8') || all.includes('[flake8]')) return 'flake8'
  if (/\bruff\b/.test(all) || root.canRun('ruff')) return 'ruff'
  return /\bflake8\b/.test(all) || root.canRun('flake8') ? 'flake8' : undefined
}

/** The runner of the project's tools: uv, Poetry, a virtual environment, else the PATH. */
function runnerOf(root: ProjectRoot, name: string, args: string[]): string[] {
  if (root.has('uv.lock')) return ['uv', 'run', name, ...args]
  if (root.has('poetry.lock')) return ['poetry', 'run', name, ...args]
  const inside = ['.venv', 'venv'].map((folder) => `${folder}/bin/${name}`).find(root.has)
  return [inside ? `./${inside}` : name, ...args]
}

function module(root: ProjectRoot, name: string): string[] {
  const inside = ['.venv', 'venv'].map((folder) => `${folder}/bin/python`).find(root.has)
  const python = inside ? `./${inside}` : root.canRun('python3') ? 'python3' : 'python'
  if (root.has('uv.lock')) return ['uv', 'build']
  return root.has('poetry.lock') ? ['poetry', 'build'] : [python, '-m', name]
}

function setupOf(root: ProjectRoot): DetectedCommands {
  if (root.has('uv.lock')) return { setup: ['uv', 'sync', '--frozen'] }
  return root.has('poetry.lock') ? { setup: ['poetry', 'install'] } : {}
}
