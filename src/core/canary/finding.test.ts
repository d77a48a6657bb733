import { describe, expect, it } from 'vitest'
import { explain, FINDING_KINDS, findingKey, type KeptFinding, terminalLine } from './finding.ts'

const kept = (changes: Partial<KeptFinding> = {}): KeptFinding => ({
  ...{ kind: 'unknown-role', subject: 'narrator', version: '2.9.0', at: 1, told: false },
  ...changes,
})

describe.each(FINDING_KINDS)('the finding %s', (kind) => {
  it('says what was noticed, what is affected and what is done instead', () => {
    for (const words of Object.values(explain({ kind, subject: 'x' }))) expect(words).toMatch(/^\S.*[^.\s]$/)
  })
})

it('a finding is one for each version and each name', () => {
  const keys = [kept(), kept({ version: '2.9.1' }), kept({ subject: 'actor' }), kept({ kind: 'unknown-key' })]
  expect(new Set(keys.map((finding) => findingKey(finding.version, finding))).size).toBe(4)
})

describe('the line for the terminal', () => {
  it('is one, however many there are', () => {
    const line = terminalLine([kept(), kept({ subject: 'actor' }), kept({ kind: 'no-folder' })])
    expect(line).toBe(
      'Grove does not fully understand Claude Code 2.9.0: messages have the unknown role "narrator" (and 2 more). `grove doctor` says what is affected.',
    )
  })

  it('does not make up a version', () => {
    expect(terminalLine([kept({ version: 'unknown' })])).toContain('understand this Claude Code:')
  })

  it('is none without findings', () => {
    expect(terminalLine([])).toBeUndefined()
  })
})
