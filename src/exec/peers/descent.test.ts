import { describe, expect, it } from 'vitest'
import type { ProcessFacts } from '../process/table.ts'
import { descentOf } from './descent.ts'

type Given = Partial<ProcessFacts> & Pick<ProcessFacts, 'pid' | 'parent'>

/** A machine with an init, a terminal of a person, and an agent that works in it. */
const MACHINE: Given[] = [
  { pid: 1, parent: 0, uid: 0, program: '/usr/lib/systemd/systemd', bornAt: 0 },
  { pid: 2, parent: 1, program: '/usr/lib/systemd/systemd', args: ['/usr/lib/systemd/systemd', '--user'], bornAt: 1 },
  { pid: 3, parent: 2, program: '/usr/bin/gnome-terminal-server', bornAt: 2 },
  { pid: 4, parent: 3, program: '/usr/bin/bash', hasTerminal: true, bornAt: 3 },
  { pid: 5, parent: 4, program: '/home/ada/.local/share/claude/versions/2.1.325', hasTerminal: true, bornAt: 100 },
]

function descentIn(processes: Given[], pid: number, variables: Record<number, string[]> = {}) {
  const all = [...MACHINE, ...processes].map(
    (one): ProcessFacts => ({ uid: 1000, bornAt: 200, hasTerminal: false, args: [one.program ?? ''], ...one }),
  )
  return descentOf(pid, new Map(all.map((one) => [one.pid, one])), (of) => variables[of])
}

const node = { program: '/usr/bin/node', args: ['node', '/usr/bin/grove', 'unregister'] }

describe('a command is an agent’s', () => {
  it('when it was started by Claude Code, through however many programs', () => {
    const shell = { pid: 10, parent: 5, program: '/usr/bin/zsh' }
    const make = { pid: 11, parent: 10, program: '/usr/bin/make' }
    expect(descentIn([shell, make, { pid: 12, parent: 11, ...node }], 12)).toEqual({
      of: 'agent',
      how: 'process 5 is Claude Code',
    })
  })

  it.each([
    ['its own program', { program: '/opt/claude/bin/claude', args: ['claude'] }],
    [
      'a package run by Node',
      { program: '/usr/bin/node', args: ['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'] },
    ],
    ['a link to it', { program: '/usr/bin/node', args: ['node', '/usr/local/bin/claude'] }],
    ['a title', { program: '/usr/bin/node', args: ['claude'] }],
    [
      'an extension of an editor',
      { program: '/home/ada/.vscode/extensions/anthropic.claude-code-2/resources/native-binary/claude' },
    ],
    ['on Windows', { program: 'C:\\Users\\ada\\.local\\bin\\claude.exe' }],
  ])('whatever form Claude Code has: %s', (_form, client) => {
    const processes = [
      { pid: 20, parent: 4, ...client },
      { pid: 21, parent: 20, ...node },
    ]
    expect(descentIn(processes, 21)).toMatchObject({ of: 'agent' })
  })

  it('when its Claude Code goes by another name, but has our tools or was started by us', () => {
    const renamed = { pid: 20, parent: 4, program: '/opt/ai', hasTerminal: true }
    const tools = {
      pid: 21,
      parent: 20,
      program: '/usr/bin/node',
      args: ['node', '/usr/lib/grove/dist/grove.js', 'mcp'],
    }
    expect(descentIn([renamed, tools, { pid: 22, parent: 20, ...node }], 22)).toMatchObject({ of: 'agent' })
    const starter = {
      pid: 30,
      parent: 4,
      program: '/usr/bin/node',
      args: ['node', '/usr/bin/grove', 'claude', '-p', 'x'],
    }
    expect(
      descentIn([starter, { ...renamed, pid: 31, parent: 30 }, { pid: 32, parent: 31, ...node }], 32),
    ).toMatchObject({
      of: 'agent',
    })
    const daemon = { pid: 40, parent: 2, program: '/usr/bin/node', args: ['grove up'] }
    expect(
      descentIn([daemon, { ...renamed, pid: 41, parent: 40 }, { pid: 42, parent: 41, ...node }], 42),
    ).toMatchObject({
      of: 'agent',
    })
  })

  it('when a parent has ended, but the variables of Claude Code are there', () => {
    const orphan = { pid: 12, parent: 2, ...node }
    expect(descentIn([orphan], 12, { 12: ['PATH=/bin', 'CLAUDECODE=1'] })).toMatchObject({ of: 'agent' })
    const shell = { pid: 13, parent: 2, program: '/bin/sh' }
    const clean = { pid: 14, parent: 13, ...node }
    expect(descentIn([shell, clean], 14, { 13: ['CLAUDE_CODE_SESSION_ID=x'], 14: [] })).toMatchObject({ of: 'agent' })
    expect(descentIn([{ pid: 15, parent: 4, ...node, hasTerminal: true }], 15, { 15: ['CLAUDECODE='] })).toEqual({
      of: 'person',
    })
  })
})

describe('nobody can tell whose a command is', () => {
  it('when it has shed parent, terminal and variables while an agent runs', () => {
    expect(descentIn([{ pid: 12, parent: 2, ...node }], 12)).toMatchObject({ of: 'unclear', isBrowser: false })
    expect(descentIn([{ pid: 12, parent: 1, ...node }], 12)).toMatchObject({ of: 'unclear' })
    const shell = { pid: 13, parent: 1, program: '/bin/sh' }
    expect(descentIn([shell, { pid: 14, parent: 13, ...node }], 14)).toMatchObject({ of: 'unclear' })
  })

  it('when cron, at or a service manager was told to start it', () => {
    const cron = { pid: 20, parent: 1, program: '/usr/sbin/cron', bornAt: 1 }
    const shell = { pid: 21, parent: 20, program: '/bin/sh' }
    expect(descentIn([cron, shell, { pid: 22, parent: 21, ...node }], 22)).toMatchObject({ of: 'unclear' })
  })

  it('when its terminal was made by a program', () => {
    const script = { pid: 20, parent: 2, program: '/usr/bin/script' }
    const shell = { pid: 21, parent: 20, program: '/bin/sh', hasTerminal: true }
    const command = { pid: 22, parent: 21, ...node, hasTerminal: true }
    expect(descentIn([script, shell, command], 22)).toMatchObject({ of: 'unclear' })
  })

  it('when its terminal is one that an interpreter has opened, or of a multiplexer that nobody looks at', () => {
    const inside = (maker: object) => [
      { pid: 20, parent: 1, ...maker },
      { pid: 21, parent: 20, program: '/bin/sh', hasTerminal: true },
      { pid: 22, parent: 21, ...node, hasTerminal: true },
    ]
    const python = { program: '/usr/bin/python3.12' }
    const named = { program: '/usr/bin/python3.12', args: ['python3', '-c', 'import pty # vscode', 'vscode'] }
    const emacs = { program: '/usr/bin/emacs', args: ['emacs', '--daemon'] }
    for (const maker of [named, emacs]) expect(descentIn(inside(maker), 22)).toMatchObject({ of: 'unclear' })
    const tmux = { program: '/usr/bin/tmux', args: ['tmux', 'new-session', '-d', 'x'] }
    expect(descentIn(inside(python), 22)).toMatchObject({ of: 'unclear' })
    expect(descentIn(inside(tmux), 22)).toMatchObject({ of: 'unclear' })
    // A client of it that itself stands in a terminal which a program has made is nobody either.
    const led = [
      { pid: 30, parent: 1, program: '/usr/bin/script' },
      { pid: 31, parent: 30, ...tmux, hasTerminal: true },
    ]
    expect(descentIn([...inside(tmux), ...led], 22)).toMatchObject({ of: 'unclear' })
  })

  it('when it has made a terminal for itself and shed its parents, or a service manager gave it one', () => {
    const leader = { pid: 20, parent: 1, program: '/usr/bin/python3.12', hasTerminal: true }
    const command = { pid: 21, parent: 20, ...node, hasTerminal: true }
    expect(descentIn([leader, command], 21)).toMatchObject({ of: 'unclear' })
    expect(descentIn([{ ...command, parent: 2 }], 21)).toMatchObject({ of: 'unclear' })
    expect(descentIn([{ ...command, parent: 1 }], 21)).toMatchObject({ of: 'unclear' })
  })

  it('when it hangs on no terminal itself and the first process of its container does', () => {
    const first = { pid: 1, parent: 0, program: '/bin/bash', hasTerminal: true, bornAt: 0 }
    expect(descentIn([first, { pid: 20, parent: 1, ...node }], 20)).toMatchObject({ of: 'unclear' })
  })

  it('and of a browser it is said that it is one, unless a program leads it', () => {
    const browser = { pid: 20, parent: 2, program: '/usr/lib/firefox/firefox' }
    expect(descentIn([browser], 20)).toMatchObject({ of: 'unclear', isBrowser: true })
    const led = { pid: 20, parent: 2, program: '/usr/bin/chromium', args: ['chromium', '--headless=new'] }
    expect(descentIn([led], 20)).toMatchObject({ of: 'unclear', isBrowser: false })
  })
})

describe('a command is a person’s', () => {
  it('in a terminal beside the agent, however young that is', () => {
    const shell = { pid: 20, parent: 3, program: '/usr/bin/bash', hasTerminal: true }
    expect(descentIn([shell, { pid: 21, parent: 20, ...node, hasTerminal: true }], 21)).toEqual({ of: 'person' })
    const window = { pid: 30, parent: 2, program: '/usr/bin/alacritty' }
    const inside = { pid: 31, parent: 30, program: '/usr/bin/zsh', hasTerminal: true }
    expect(descentIn([window, inside, { pid: 32, parent: 31, ...node, hasTerminal: true }], 32)).toEqual({
      of: 'person',
    })
  })

  it('in a multiplexer that somebody has attached, and in the terminal of an editor', () => {
    const pane = (maker: object) => [
      { pid: 20, parent: 1, ...maker },
      { pid: 21, parent: 20, ...node, hasTerminal: true },
    ]
    const client = { pid: 31, parent: 3, program: '/usr/bin/tmux', hasTerminal: true }
    expect(descentIn([...pane({ program: '/usr/bin/tmux' }), client], 21)).toEqual({ of: 'person' })
    const editors = [
      { program: '/usr/share/code/code', args: ['/usr/share/code/code', '--type=utility'] },
      { program: '/root/.vscode-server/bin/1/node', args: ['node', '/root/x/bootstrap-fork', '--type=ptyHost'] },
      { program: '/usr/bin/node', args: ['node', '--no-warnings', '/root/.cursor-server/bin/1/out/server-main.js'] },
      { program: '/usr/bin/python3', args: ['python3', '-m', 'jupyterlab'] },
    ]
    for (const editor of editors) expect(descentIn(pane(editor), 21)).toEqual({ of: 'person' })
    const vim = { pid: 40, parent: 4, program: '/usr/bin/vim', hasTerminal: true }
    expect(descentIn([vim, { pid: 41, parent: 40, ...node, hasTerminal: true }], 41)).toEqual({ of: 'person' })
  })

  it('on a console, in the first shell of a container, in WSL, and where the processes of others are hidden', () => {
    const command = { pid: 22, parent: 21, ...node, hasTerminal: true }
    const login = { pid: 20, parent: 1, uid: 0, program: '/usr/bin/login', hasTerminal: true }
    const shell = { pid: 21, parent: 20, program: '/usr/bin/bash', hasTerminal: true }
    expect(descentIn([login, shell, command], 22)).toEqual({ of: 'person' })
    const first = { pid: 1, parent: 0, program: '/bin/bash', hasTerminal: true, bornAt: 0 }
    expect(descentIn([first, { ...command, parent: 1 }], 22)).toEqual({ of: 'person' })
    const relay = { pid: 20, parent: 1, uid: 0, program: '/init', args: ['/init'] }
    expect(descentIn([relay, shell, command], 22)).toEqual({ of: 'person' })
    expect(descentIn([{ ...shell, parent: 99 }, command], 22)).toEqual({ of: 'person' })
  })

  it('in a script that was there before the agent, and where no agent runs', () => {
    const runner = { pid: 20, parent: 1, program: '/usr/bin/runner', bornAt: 50 }
    expect(descentIn([runner, { pid: 21, parent: 20, ...node }], 21)).toEqual({ of: 'person' })
    const table = new Map([[9, { pid: 9, parent: 1, uid: 1000, bornAt: 9, hasTerminal: false, args: ['sh'] }]])
    expect(descentOf(9, table, () => undefined)).toEqual({ of: 'person' })
  })

  it('when it was put into the container from outside', () => {
    expect(
      descentIn(
        [
          { pid: 20, parent: 0, program: '/bin/sh' },
          { pid: 21, parent: 20, ...node },
        ],
        21,
      ),
    ).toEqual({ of: 'person' })
  })

  it('and another user’s agent does not matter', () => {
    const processes = [{ pid: 20, parent: 1, uid: 1001, ...node }]
    expect(descentIn(processes, 20)).toEqual({ of: 'person' })
  })
})
