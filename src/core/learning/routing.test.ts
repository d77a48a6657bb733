import { describe, expect, it } from 'vitest'
import { chooseBackends, targetOf } from './routing.ts'

const usual = { discovery: ['config', 'total-recall', 'mcp', 'markdown'], overrides: {}, use: [] }
const there =
  (...names: string[]) =>
  (name: string) =>
    names.includes(name)

describe('a learning goes', () => {
  it('where its scope sends it', () => {
    expect(targetOf('project', false)).toBe('shared')
    expect(targetOf('team', true)).toBe('shared')
    expect(targetOf('personal', true)).toBe('personal')
    expect(targetOf('ephemeral', true)).toBe('daily-log')
    expect(targetOf('ephemeral', false)).toBe('nowhere')
  })
})

describe('the backend is', () => {
  it('the first that is found, and markdown when there is no other', () => {
    expect(chooseBackends(usual, there('total-recall', 'mcp'))).toEqual(['total-recall'])
    expect(chooseBackends(usual, there('mcp'))).toEqual(['mcp'])
    expect(chooseBackends(usual, there())).toEqual(['markdown'])
    const reordered = { ...usual, discovery: ['mcp', 'total-recall'] }
    expect(chooseBackends(reordered, there('total-recall', 'mcp'))).toEqual(['mcp'])
    expect(chooseBackends(reordered, there())).toEqual(['markdown'])
  })

  it('what the configuration names, all of it and in its order', () => {
    const named = { ...usual, use: ['mcp', 'markdown'] }
    expect(chooseBackends(named, there('total-recall'))).toEqual(['mcp', 'markdown'])
  })

  it('never one that is switched off', () => {
    const off = { ...usual, overrides: { 'total-recall': false } }
    expect(chooseBackends(off, there('total-recall'))).toEqual(['markdown'])
    expect(chooseBackends({ ...usual, overrides: { markdown: false } }, there())).toEqual([])
  })
})
