import { describe, expect, it } from 'vitest'
import { type Binding, meant, nameOf } from './keys.ts'

const bind = (keys: string, label = keys): Binding => ({ keys, label, group: 'x', run() {} })

describe('a key', () => {
  it('is named as it is written in the cheat sheet', () => {
    const key = (name: string, more = {}) =>
      nameOf({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })
    expect([key('K', { metaKey: true }), key('?'), key('Enter', { ctrlKey: true }), key(' ')]).toEqual([
      'mod+k',
      '?',
      'mod+Enter',
      'Space',
    ])
    expect([key('N', { shiftKey: true }), key('?', { shiftKey: true }), key('N')]).toEqual(['Shift+n', '?', 'n'])
  })

  it('is the letter beside its own on a keyboard with other than Latin letters', () => {
    const key = (name: string, code: string, ctrlKey = false) =>
      nameOf({ key: name, code, ctrlKey, metaKey: false, altKey: false, shiftKey: false })
    expect([key('л', 'KeyK', true), key('ο', 'KeyO'), key('ш', 'BracketLeft')]).toEqual(['mod+k', 'o', 'ш'])
    // Where letters lie elsewhere, what is printed on the key counts.
    expect([key('a', 'KeyQ'), key('é', 'Digit2')]).toEqual(['a', 'é'])
  })

  it('may be the first of two', () => {
    const all = [bind('g i'), bind('i')]
    expect(meant(all, 'g', undefined)).toEqual({ half: true })
    expect(meant(all, 'i', 'g')).toEqual({ run: [all[0]] })
  })

  it('means itself when the one before it began nothing', () => {
    const all = [bind('g i'), bind('j')]
    expect(meant(all, 'j', 'g')).toEqual({ run: [all[1]] })
    expect(meant(all, 'x', undefined)).toBeUndefined()
  })

  it('means what was bound last, the view that is open, and what was bound before where that has no use for it', () => {
    const all = [bind('j', 'list'), bind('j', 'question')]
    expect(meant(all, 'j', undefined)).toEqual({ run: [all[1], all[0]] })
  })
})
