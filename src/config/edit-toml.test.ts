import { parse } from 'smol-toml'
import { expect, it } from 'vitest'
import { withTomlText } from './edit-toml.ts'

const mine = `# my settings
port = 4000

[database] # where
sync_seconds = 30
# url = "postgres://old"

[judge]
kind = "heuristic"
`

it('adds a value to its table and leaves the rest as it was', () => {
  const edited = withTomlText(mine, 'database', 'url', 'postgres://ada:p"w\\d@host/grove')
  expect(parse(edited)).toMatchObject({ database: { url: 'postgres://ada:p"w\\d@host/grove', sync_seconds: 30 } })
  expect(edited.split('\n').filter((line) => !line.startsWith('url'))).toEqual(mine.split('\n'))
})

it('replaces and removes it', () => {
  const once = withTomlText(mine, 'database', 'url', 'postgres://one')
  const twice = withTomlText(once, 'database', 'url', 'postgres://two')
  expect(parse(twice)).toMatchObject({ database: { url: 'postgres://two' } })
  expect(withTomlText(twice, 'database', 'url', undefined)).toBe(mine)
})

it('makes the table where there is none, and nothing where nothing is to be removed', () => {
  expect(withTomlText('', 'database', 'url', 'x')).toBe('[database]\nurl = "x"\n')
  expect(withTomlText('port = 1', 'database', 'url', 'x')).toBe('port = 1\n\n[database]\nurl = "x"\n')
  expect(withTomlText('port = 1\n', 'database', 'url', undefined)).toBe('port = 1\n')
})

it('does not take a key of another table for its own', () => {
  const other = '[database]\n[backends.mcp]\nurl = "http://x"\n'
  expect(parse(withTomlText(other, 'database', 'url', 'y'))).toEqual({
    database: { url: 'y' },
    backends: { mcp: { url: 'http://x' } },
  })
})
