import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tempDir } from '../../../test/support/project.ts'
import { HeadAndTail } from '../process/head-and-tail.ts'
import { projectCommands } from './project-commands.ts'

let folder: string
beforeEach(async () => {
  folder = await tempDir('checks')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

let clock = 0
const commands = (env: Record<string, string | undefined> = { PATH: process.env.PATH }) =>
  projectCommands({ env, now: () => clock++ })
const detect = (env = { PATH: '/nowhere' }) => commands(env).detect(folder)
const node = (script: string) => [process.execPath, '-e', script]
const run = (command: string[], options: { limitMs?: number; signal?: AbortSignal } = {}) =>
  commands().run(folder, command, { limitMs: 60_000, ...options })

describe('the commands of a project', () => {
  it('are the scripts that a package has, run by the manager whose lockfile lies there', async () => {
    const scripts = { test: 'vitest', build: 'tsc', lint: 'biome check', dev: 'vite' }
    write({ 'package.json': JSON.stringify({ scripts, devDependencies: { typescript: '7' } }), 'tsconfig.json': '{}' })
    expect(await detect()).toEqual({
      test: ['npm', 'test'],
      build: ['npm', 'run', 'build'],
      lint: ['npm', 'run', 'lint'],
      types: ['npx', '--no-install', 'tsc', '--noEmit'],
      setup: ['npm', 'install'],
    })
    write({ 'pnpm-lock.yaml': '' })
    expect(await detect()).toMatchObject({ test: ['pnpm', 'test'], setup: ['pnpm', 'install', '--frozen-lockfile'] })
    rmSync(join(folder, 'pnpm-lock.yaml'))
    write({ 'yarn.lock': '', '.yarnrc.yml': '' })
    expect(await detect()).toMatchObject({ build: ['yarn', 'run', 'build'], setup: ['yarn', 'install', '--immutable'] })
    rmSync(join(folder, 'yarn.lock'))
    write({ 'bun.lockb': '' })
    expect(await detect()).toMatchObject({ test: ['bun', 'run', 'test'] })
  })

  it('are none where the package has only what npm init wrote, or cannot be read', async () => {
    write({ 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' })
    expect(await detect()).toEqual({})
    write({ 'package.json': '{"scripts": {' })
    expect(await detect()).toEqual({})
    write({ 'package.json': '{"scripts": ["x"], "dependencies": 4}' })
    expect(await detect()).toEqual({})
  })

  it('are those of Cargo, Go, Python, Maven and Gradle', async () => {
    write({ 'Cargo.toml': '[package]' })
    expect(await detect()).toMatchObject({ test: ['cargo', 'test'], lint: ['cargo', 'clippy'] })
    rmSync(join(folder, 'Cargo.toml'))
    write({ 'go.mod': 'module x' })
    expect(await detect()).toMatchObject({ test: ['go', 'test', './...'], lint: ['go', 'vet', './...'] })
    write({ '.golangci.yml': '' })
    expect(await detect()).toMatchObject({ build: ['go', 'build', './...'], lint: ['golangci-lint', 'run'] })
    rmSync(join(folder, 'go.mod'))
    write({ 'pyproject.toml': '[build-system]\n[tool.ruff]\n[tool.mypy]\n', 'tests/test_a.py': '' })
    expect(await detect()).toEqual({
      test: ['pytest'],
      build: ['python', '-m', 'build'],
      lint: ['ruff', 'check', '.'],
      types: ['mypy', '.'],
    })
    write({ '.venv/bin/pytest': '', 'pyproject.toml': '', 'setup.cfg': '[flake8]' })
    expect(await detect()).toEqual({ test: ['./.venv/bin/pytest'], lint: ['flake8'] })
    rmSync(join(folder, 'pyproject.toml'))
    rmSync(join(folder, 'setup.cfg'))
    write({ 'pom.xml': '', mvnw: '' })
    expect((await detect()).test?.[0]).toBe('./mvnw')
    rmSync(join(folder, 'pom.xml'))
    write({ 'build.gradle.kts': '' })
    expect((await detect()).test).toEqual(['gradle', '--no-daemon', 'test'])
  })

  it('are the targets of a makefile where nothing else says so', async () => {
    write({ Makefile: 'build := out\nlint = x\n.PHONY: test\ntest build: deps\n\tgo test\n# lint: no\n' })
    expect(await detect()).toEqual({ test: ['make', 'test'], build: ['make', 'build'] })
    write({ 'package.json': '{"scripts":{"test":"x"}}' })
    expect(await detect()).toEqual({ test: ['npm', 'test'], build: ['make', 'build'] })
  })
})

describe('a command', () => {
  it('passes or fails by its exit code, with what it printed', async () => {
    expect(await run(node('console.log("fine")'))).toMatchObject({ result: 'passed', exitCode: 0, output: 'fine\n' })
    const failed = await run(node('console.error("\\x1b[31mbroken\\x1b[0m"); process.exit(3)'))
    expect(failed).toMatchObject({ result: 'failed', exitCode: 3, output: 'broken\n' })
    expect(await run(['does-not-exist'])).toMatchObject({ result: 'could-not-start', exitCode: null })
    expect(await run([])).toMatchObject({ result: 'could-not-start' })
  })

  it('is not read by a shell', async () => {
    const { output } = await run(node('console.log(process.argv[1])').concat('$(touch x); `touch y` && touch z'))
    expect(output).toBe('$(touch x); `touch y` && touch z\n')
    expect(['x', 'y', 'z'].some((name) => existsSync(join(folder, name)))).toBe(false)
  })

  it('sees none of our keys, and what it prints of others is masked', async () => {
    const key = `sk-ant-api03-${'aB3dE5fG7hI9'.repeat(6)}`
    const env = {
      PATH: process.env.PATH,
      ANTHROPIC_API_KEY: key,
      GROVE_HOME: '/x',
      CLAUDE_CODE_X: '1',
      DATABASE_URL: 'kept',
    }
    const { output } = await commands(env).run(folder, node('console.log(JSON.stringify(process.env))'), {
      limitMs: 60_000,
    })
    expect(Object.keys(JSON.parse(output))).toEqual(expect.arrayContaining(['CI', 'DATABASE_URL']))
    expect(Object.keys(JSON.parse(output)).filter((name) => /GROVE|ANTHROPIC|CLAUDE/.test(name))).toEqual([])
    expect((await run(node(`console.log("${key}")`))).output).not.toContain(key)
  })

  it('keeps both ends of a long output', async () => {
    const { output } = await run(node('for (let i = 0; i < 60000; i++) console.log("line " + i)'))
    expect(output.length).toBeLessThan(140_000)
    expect(output).toMatch(/^line 0\n/)
    expect(output).toMatch(/\nline 59999\n$/)
    expect(output).toMatch(/\nline \d+\n… \d+ bytes left out …\nline \d+\n/)
  })

  it('ends with everything it started: at the limit, when cancelled, and when it leaves something behind', async () => {
    const child = `const c = require('child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' }); require('fs').writeFileSync('pid', String(c.pid));`
    const isGone = () => {
      const pid = readFileSync(join(folder, 'pid'), 'utf8')
      return execFileSync('sh', ['-c', `ps -o stat= -p ${pid} | grep -v Z || true`], { encoding: 'utf8' }).trim() === ''
    }
    // A killed process may still be listed for a moment on a busy machine; one that was spared never goes.
    const isEnded = () => expect.poll(isGone).toBe(true)
    expect((await run(node(`${child} setInterval(() => {}, 1000)`), { limitMs: 1500 })).result).toBe('timed-out')
    await isEnded()
    const stop = new AbortController()
    const running = run(node(`${child} setInterval(() => {}, 1000)`), { signal: stop.signal })
    while (!existsSync(join(folder, 'pid')) || isGone()) await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    expect((await running).result).toBe('cancelled')
    await isEnded()
    expect((await run(node(`${child} setTimeout(() => process.exit(0), 200)`))).result).toBe('passed')
    await isEnded()
    expect((await run(node('0'), { signal: AbortSignal.abort() })).result).toBe('cancelled')
  })
})

describe('both ends of an output', () => {
  it('are whole when it is short, however it comes', () => {
    const text = 'é'.repeat(30)
    for (const size of [1, 3, 7, 100]) {
      const ends = new HeadAndTail({ head: 20, tail: 40 })
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += size) ends.add(bytes.subarray(at, at + size))
      expect(ends.text()).toBe(text)
    }
  })
})
