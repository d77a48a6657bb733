import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { plainText } from '#config/plain-file.ts'
import type { DetectedCommands } from '#core/ports/repository.ts'
import type { Environment } from '../process/environment.ts'
import { nodeCommands } from './detect-node.ts'
import { pythonCommands } from './detect-python.ts'

/** A project's root as detection looks at it. */
export interface ProjectRoot {
  has(file: string): boolean
  /** Empty when it is not there. */
  text(file: string): string
  /** Whether a program can be started by its name. */
  canRun(program: string): boolean
}

/**
 * Detects how a project is tested, built and linted, by the files in its root. A later detector overrides an earlier
 * one.
 */
export function detectCommands(folder: string, env: Environment): DetectedCommands {
  const root = rootAt(folder, env)
  const kinds = [make, gradle, maven, go, pythonCommands, cargo, nodeCommands]
  return Object.assign({}, ...kinds.map((kind) => kind(root)))
}

function rootAt(folder: string, env: Environment): ProjectRoot {
  const files = existsSync(folder) ? new Set(readdirSync(folder)) : new Set<string>()
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return {
    has: (file) => (file.includes('/') ? existsSync(join(folder, file)) : files.has(file)),
    text: (file) => (files.has(file) ? (plainText(join(folder, file)) ?? '') : ''),
    canRun: (program) => folders.some((each) => isExecutable(join(each, program))),
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Missing or not executable: try the next folder of the PATH.
    return false
  }
}

function cargo(root: ProjectRoot): DetectedCommands {
  if (!root.has('Cargo.toml')) return {}
  const flags = root.text('Cargo.toml').includes('[workspace]') ? ['--workspace'] : []
  return {
    test: ['cargo', 'test', ...flags],
    build: ['cargo', 'build', ...flags],
    lint: ['cargo', 'clippy', ...flags],
    types: ['cargo', 'check', ...flags],
    setup: ['cargo', 'fetch'],
  }
}

function go(root: ProjectRoot): DetectedCommands {
  if (!root.has('go.mod')) return {}
  const hasLinter =
    root.canRun('golangci-lint') ||
    ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'].some(root.has)
  return {
    test: ['go', 'test', './...'],
    build: ['go', 'build', './...'],
    lint: hasLinter ? ['golangci-lint', 'run'] : ['go', 'vet', './...'],
    setup: ['go', 'mod', 'download'],
  }
}

function maven(root: ProjectRoot): DetectedCommands {
  if (!root.has('pom.xml')) return {}
  const mvn = root.has('mvnw') ? './mvnw' : 'mvn'
  return { test: [mvn, '--batch-mode', 'test'], build: [mvn, '--batch-mode', '-DskipTests', 'package'] }
}

function gradle(root: ProjectRoot): DetectedCommands {
  if (!root.has('build.gradle') && !root.has('build.gradle.kts')) return {}
  const program = root.has('gradlew') ? './gradlew' : 'gradle'
  // A Gradle daemon would outlive the check.
  return { test: [program, '--no-daemon', 'test'], build: [program, '--no-daemon', 'assemble'] }
}

function make(root: ProjectRoot): DetectedCommands {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map(root.text).find((each) => each !== '') ?? ''
  // `test: …` and `test build: …`, but no variable `test := …`.
  const targets = [...text.matchAll(/^([^\s#:=][^#:=]*):(?![=:]*=)/gm)].flatMap(([, names]) =>
    names!.trim().split(/\s+/),
  )
  const command = (name: string) => (targets.includes(name) ? { [name]: ['make', name] } : {})
  return { ...command('test'), ...command('build'), ...command('lint') }
}
