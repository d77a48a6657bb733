import { describe, expect, it } from 'vitest'
import { RUN_GOAL } from './driven.ts'
import { type CurrentWork, onAnswer, onInstruction } from './orchestrate.ts'

const darkMode: CurrentWork = {
  goal: 'Add dark mode to the settings page',
  keywords: ['dark', 'mode', 'settings', 'page'],
  kind: 'main',
  recentFiles: ['src/settings/theme.ts'],
}

describe('what an instruction means for the work in hand', () => {
  it('a step that the workflow drives is a task of its own, and goes on when it is driven again', () => {
    const driven = (goal: string) => `# ${RUN_GOAL}\n\n${goal}\n\nImplement the step.`
    expect(onInstruction(darkMode, driven('Add dark mode to the menu'), false)).toBe('new_task')
    expect(onInstruction(darkMode, driven(darkMode.goal), false)).toBe('continue')
  })

  it('a first prompt is a new task', () => {
    expect(onInstruction(undefined, 'Add dark mode', false)).toBe('new_task')
  })

  it.each([
    ['continue', 'What colours did you use?'],
    ['continue', 'no, the toggle should be on the left'],
    ['continue', 'still broken: TypeError: x is undefined'],
    ['continue', 'make the settings toggle bigger'],
    ['continue', 'put that into a helper'],
    ['continue', 'Now make dark mode the default on the settings page'],
    ['continue', 'fix theme.ts imports'],
    ['new_task', 'Now fix the login bug'],
    ['new_task', 'Great, now fix the login bug'],
    ['new_task', 'forget that, upgrade the database driver'],
    ['new_task', 'Write a script that imports the customers from a spreadsheet'],
    ['subtask', 'First I need to install deps'],
    ['subtask', 'Before that, extract the colours into variables'],
    ['parallel_task', 'Also update the tests'],
    ['continue', 'commit and push'],
    ['continue', 'run the tests'],
    ['continue', 'now add a test'],
    ['continue', 'ok good. now do the same for the login page'],
    ['new_task', 'ok merged. Different issue: the celery worker eats 2 GB'],
    ['new_task', 'nvm the toggle. I need the device id in every payload'],
    ['parallel_task', "while you're at it, bump the version"],
    ['new_task', 'stop, do not touch the settings any more… fix the off by one in schedule.rs instead'],
    ['new_task', 'Stop. Leave the settings as they are, fix the retries in sync.py.'],
    ['new_task', 'wait, stop. Add a rate limit to the login'],
    ['new_task', 'cancel that. The nightly export should skip empty rows'],
    ['new_task', 'fix the off by one in schedule.rs instead'],
    ['new_task', 'harvest() should round to whole kilos'],
    ['continue', 'stop'],
    ['continue', 'stop! use German instead'],
    ['continue', 'stop, it should be in the header'],
    ['continue', 'stop it from flickering'],
    ['continue', 'use a lookup table instead'],
  ])('%s: %s', (action, instruction) => {
    expect(onInstruction(darkMode, instruction, false)).toBe(action)
  })

  it('a simple prompt goes on with what there is', () => {
    expect(onInstruction(darkMode, 'yes', true)).toBe('continue')
  })
})

describe('what an answer says about the end', () => {
  const wrote = { wroteFiles: true }

  it.each([
    ['task_complete', 'Task complete.', { wroteFiles: false }],
    ['task_complete', "I've added dark mode to the settings page. All tests pass.", wrote],
    ['task_complete', 'Done. The toggle sits in the header.', wrote],
    ['continue', "I've added the toggle. Next, I'll wire it to the store.", wrote],
    ['continue', 'I have fixed the first error. Should I go on with the others?', wrote],
    ['continue', 'All tests pass on main already, so the bug must be elsewhere.', { wroteFiles: false }],
    ['task_complete', 'The theme is kept in a context.', wrote],
    ['continue', 'The theme is kept in a context. The toggle is not wired yet.', wrote],
  ] as const)('%s: %s', (action, text, more) => {
    expect(onAnswer(darkMode, { text, ...more })).toBe(action)
  })

  it('ends a subtask as a subtask', () => {
    expect(onAnswer({ ...darkMode, kind: 'subtask' }, { text: 'Done.', ...wrote })).toBe('subtask_complete')
  })

  it('ends nothing where nothing runs', () => {
    expect(onAnswer(undefined, { text: 'Task complete', ...wrote })).toBe('continue')
  })
})
