import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendElement,
  elementsOf,
  type Insertion,
  membersOf,
  type Span,
  scanRequest,
  valueAt,
} from './request-scan.ts'

const bytes = (text: string) => Buffer.from(text)
const scan = (text: string) => scanRequest(bytes(text))
const slice = (body: Buffer, { start, end }: Span) => body.toString('utf8', start, end)

function inserted(body: Buffer, { at, bytes }: Insertion): Buffer {
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)])
}

/** The text of any JSON value as some client might write it: its own spacing, escapes and number formats. */
const anyJson = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.constantFrom('', ' ', '\n', '\t', '\r\n  '), { minLength: 1 }))
  .map(([value, spaces]) => write(value, spaces))

/** A request-like object with unique keys, as [key, JSON text of its value] pairs. */
const members = fc.uniqueArray(
  fc.tuple(fc.oneof(fc.constantFrom('system', 'messages', 'model', '__proto__'), fc.string()), anyJson),
  { selector: ([key]) => key, maxLength: 8 },
)

const body = fc
  .tuple(members, fc.constantFrom('', ' ', '\n\t'))
  .map(
    ([list, space]) =>
      `${space}{${space}${list.map(([key, json]) => `${space}${JSON.stringify(key)}${space}:${space}${json}${space}`).join(',')}}${space}`,
  )

function write(value: unknown, spaces: string[]): string {
  let turn = 0
  const space = () => spaces[turn++ % spaces.length]!
  const go = (one: unknown): string => {
    if (Array.isArray(one)) return `[${space()}${one.map((item) => `${space()}${go(item)}${space()}`).join(',')}]`
    if (typeof one === 'object' && one !== null) {
      const entries = Object.entries(one)
      return `{${space()}${entries.map(([key, item]) => `${space()}${JSON.stringify(key)}${space()}:${space()}${go(item)}`).join(',')}${space()}}`
    }
    return JSON.stringify(one)
  }
  return go(value)
}

describe('scanning a request', () => {
  it('finds every top-level value where JSON.parse finds it', () => {
    fc.assert(
      fc.property(body, (text) => {
        const parsed = JSON.parse(text) as Record<string, unknown>
        const found = scanRequest(bytes(text))!
        expect([...found.keys.keys()].sort()).toEqual(Object.keys(parsed).sort())
        for (const [key, span] of found.keys) expect(valueAt(bytes(text), span)).toEqual(parsed[key])
      }),
    )
  })

  it('finds every element of every top-level array', () => {
    fc.assert(
      fc.property(body, (text) => {
        const parsed = JSON.parse(text) as Record<string, unknown>
        const { arrays } = scanRequest(bytes(text))!
        for (const [key, value] of Object.entries(parsed)) {
          expect(arrays.get(key)?.map((span) => valueAt(bytes(text), span))).toEqual(
            Array.isArray(value) ? value : undefined,
          )
        }
      }),
    )
  })

  it('walks down into nested objects and arrays', () => {
    const text = bytes('{"messages":[{"role":"user","content":[{"type":"text"},"x"]}]}')
    const message = scanRequest(text)!.arrays.get('messages')![0]!
    const content = membersOf(text, message)!.get('content')!
    expect(elementsOf(text, content)!.map((span) => slice(text, span))).toEqual(['{"type":"text"}', '"x"'])
    expect(membersOf(text, content)).toBeUndefined()
    expect(elementsOf(text, message)).toBeUndefined()
  })

  it('agrees with JSON.parse on what is JSON and what is not, however it was damaged', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abc 1é') })
    const plain = fc
      .dictionary(word, fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(...'abc 1é') }))
      .map((value) => JSON.stringify(value))
    // No backslash among the damage: what an escape means is the one thing the scan does not judge.
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom('', ...'{}[]",:0-+.eEtfn x')), { maxLength: 4 })
    fc.assert(
      fc.property(plain, damage, (text, marks) => {
        const chars = [...text]
        for (const [at, char] of marks) chars[at % chars.length] = char
        const damaged = chars.join('')
        expect(scan(damaged) !== undefined || namesAKeyTwice(damaged)).toBe(isObject(damaged))
      }),
      { numRuns: 3000 },
    )
  })

  it('never reads beyond the body, whatever bytes it is given', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        const found = scanRequest(noise)
        for (const span of found?.keys.values() ?? []) expect(span.end).toBeLessThanOrEqual(noise.length)
      }),
    )
  })

  it.each([
    ['an empty body', ''],
    ['an array', '[]'],
    ['a string', '"system"'],
    ['two objects', '{}{}'],
    ['a body cut off in a string', '{"a":"b'],
    ['a body cut off behind a backslash', '{"a":"b\\'],
    ['a body cut off in an array', '{"a":[1,2'],
    ['a comma too many', '{"a":1,}'],
    ['a comma too many in an array', '{"a":[1,]}'],
    ['a missing colon', '{"a" 1}'],
    ['a missing value', '{"a":}'],
    ['an unquoted key', '{a:1}'],
    ['a leading zero', '{"a":01}'],
    ['a lonely minus', '{"a":-}'],
    ['a number ending in a dot', '{"a":1.}'],
    ['a number without an exponent', '{"a":1e}'],
    ['a word that is none', '{"a":trie}'],
    ['crossed brackets', '{"a":[{]}}'],
    ['a key twice', '{"a":1,"a":2}'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a key with a broken escape', '{"\\x":1}'],
    ['a byte order mark', '\uFEFF{}'],
  ])('refuses %s', (_, text) => {
    expect(scan(text)).toBeUndefined()
  })

  it('reads escaped keys by their meaning', () => {
    expect([...scan('{"sys\\u0074em":1,"q\\"":2}')!.keys.keys()]).toEqual(['system', 'q"'])
  })

  it('ends a string at the first quote that is not escaped', () => {
    const text = bytes(String.raw`{"a":"\\\"","b":"\\","c":"\\\\\\\"x"}`)
    const { keys } = scanRequest(text)!
    expect([...keys.values()].map((span) => slice(text, span))).toEqual([
      String.raw`"\\\""`,
      String.raw`"\\"`,
      String.raw`"\\\\\\\"x"`,
    ])
  })

  it('gives up on nesting no client writes instead of running out of stack', () => {
    const deep = 1_000_000
    expect(scan(`{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`)).toBeUndefined()
    expect(scan(`{"a":${'['.repeat(500)}${']'.repeat(500)}}`)).toBeDefined()
  })

  it('works on plain bytes as well as on a Buffer', () => {
    const plain = new Uint8Array(bytes('{"a":"b","c":[1]}'))
    expect(valueAt(plain, scanRequest(plain)!.keys.get('c')!)).toEqual([1])
  })
})

describe('scanning with the help of an earlier scan', () => {
  const isSame = (earlier: Buffer, later: Buffer) => (from: number, at: number, length: number) =>
    at + length <= later.length && later.subarray(at, at + length).equals(earlier.subarray(from, from + length))
  const again = (before: Buffer, after: Buffer) => {
    const earlier = scanRequest(before)
    return scanRequest(after, earlier && { scan: earlier, isSame: isSame(before, after) })
  }
  const places = (found: ReturnType<typeof scanRequest>) =>
    found && {
      root: found.root,
      keys: [...found.keys].map(([key, { start, end }]) => [key, start, end]),
      arrays: [...found.arrays],
    }

  it('finds what a scan without it finds, however the two bodies differ', () => {
    const elements = fc.array(fc.oneof(anyJson, fc.constant('{"role":"user"}')), { maxLength: 6 })
    const conversation = fc
      .tuple(members, elements, fc.nat(8))
      .map(([rest, list, at]) =>
        rest
          .filter(([key]) => key !== 'messages')
          .map(([key, json]) => `${JSON.stringify(key)}:${json}`)
          .toSpliced(at, 0, `"messages":[${list.join(',')}]`)
          .join(','),
      )
      .map((inside) => `{${inside}}`)
    const edit = fc.record({ at: fc.nat(1000), cut: fc.nat(20), put: fc.string({ maxLength: 8 }) })
    fc.assert(
      fc.property(conversation, fc.array(edit, { maxLength: 2 }), (text, edits) => {
        const after = edits.reduce(
          (now, { at, cut, put }) => now.slice(0, at % now.length) + put + now.slice((at % now.length) + cut) || '{}',
          text,
        )
        expect(places(again(bytes(text), bytes(after)))).toEqual(places(scan(after)))
      }),
      { numRuns: 3000 },
    )
  })

  it('knows again what a conversation repeats', () => {
    const request = (messages: object[], max: number) =>
      bytes(JSON.stringify({ model: 'm', messages, system: 'be brief', tools: [{ name: 'a' }], max_tokens: max }))
    const opening = [{ role: 'user', content: 'hi' }]
    const first = request(opening, 12)
    const second = request([...opening, { role: 'assistant', content: 'hello' }], 123)
    const earlier = scanRequest(first)!
    const later = scanRequest(second, { scan: earlier, isSame: isSame(first, second) })!

    expect(later.arrays.get('messages')![0]).toBe(earlier.arrays.get('messages')![0])
    for (const key of ['model', 'system', 'tools']) {
      expect(later.keys.get(key)!.content).toBe(earlier.keys.get(key)!.content)
    }
    expect(later.keys.get('messages')!.content).not.toBe(earlier.keys.get('messages')!.content)
    expect(slice(second, later.keys.get('max_tokens')!)).toBe('123')
    expect(slice(second, later.arrays.get('tools')![0]!)).toBe('{"name":"a"}')
  })
})

describe('inserting by position', () => {
  it('adds an element as if the parsed array had been pushed to, and leaves every other byte alone', () => {
    fc.assert(
      fc.property(members, fc.array(anyJson, { maxLength: 4 }), fc.jsonValue(), (rest, elements, extra) => {
        const others = rest
          .filter(([key]) => key !== 'messages')
          .map(([key, json]) => `${JSON.stringify(key)}: ${json}`)
        const text = bytes(`{${[...others, `"messages": [ ${elements.join(' , ')} ]`].join(',\n')}}`)
        const insertion = appendElement(text, scanRequest(text)!.keys.get('messages')!, bytes(JSON.stringify(extra)))
        const edited = inserted(text, insertion)

        const expected = JSON.parse(text.toString()) as { messages: unknown[] }
        expected.messages.push(JSON.parse(JSON.stringify(extra)))
        expect(JSON.parse(edited.toString())).toEqual(expected)
        expect(edited.subarray(0, insertion.at)).toEqual(text.subarray(0, insertion.at))
        expect(edited.subarray(insertion.at + insertion.bytes.length)).toEqual(text.subarray(insertion.at))
      }),
    )
  })

  it('refuses to insert where the value is of another kind', () => {
    const text = bytes('{"system":"be brief","messages":[]}')
    const { keys } = scanRequest(text)!
    expect(() => appendElement(text, keys.get('system')!, bytes('1'))).toThrow()
  })
})

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false // not JSON at all
  }
}

function namesAKeyTwice(text: string): boolean {
  const keys = [...text.matchAll(/"([^"]*)"\s*:/g)].map((match) => match[1])
  return isObject(text) && new Set(keys).size < keys.length
}
