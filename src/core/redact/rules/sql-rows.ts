import { isAbout, NAME, standsAlone } from '../names.ts'
import { PLACEHOLDER } from '../values.ts'

/** `INSERT INTO users (login, password) VALUES ('anna', '…'), ('kofi', '…')`: the columns say which value of every row is a secret. */

const INSERT = /\bINSERT\s{1,8}INTO\s{1,8}[\w."`[\]]{1,80}\s{0,8}\(([^()]{1,600})\)\s{0,8}VALUES\s{0,8}(?=\()/gi
const SECRET_NAME = new RegExp(`(${NAME})$`, 'i')
const STRONG = /^(?:pass|pw|pwd|psw|secret|kennw|mdp|contrase|senha|has[lł]o|hesl)/i
const VALUE = /\s{0,8}(?:[NE]?'((?:[^'\\]|\\.|''){0,400})'|([^,()']{0,400}))\s{0,8}([,)])/y
const MOST_ROWS = 500

export function rowSecrets(text: string, mask: string): string {
  let result = ''
  let done = 0
  for (const { 0: head, 1: list, index } of text.matchAll(INSERT)) {
    const secret = list!.split(',').map(isSecretColumn)
    if (index < done || !secret.includes(true)) continue
    for (const { start, end } of valuesOf(text, index + head.length, secret)) {
      result += text.slice(done, start) + mask
      done = end
    }
  }
  return result + text.slice(done)
}

function isSecretColumn(column: string): boolean {
  const name = column.trim().replace(/["`[\]]/g, '')
  const [, telling] = SECRET_NAME.exec(name) ?? []
  return (
    telling !== undefined &&
    STRONG.test(telling) &&
    standsAlone(name, name.length - telling.length, telling) &&
    !isAbout(name, name.length)
  )
}

function* valuesOf(text: string, from: number, secret: readonly boolean[]): Generator<{ start: number; end: number }> {
  let at = from
  for (let row = 0; row < MOST_ROWS; row++) {
    const open = /^[\s,]{0,8}\(/.exec(text.slice(at, at + 12))
    if (!open) return
    at += open[0].length
    for (let column = 0; ; column++) {
      VALUE.lastIndex = at
      const found = VALUE.exec(text)
      if (!found) return
      const { 0: whole, 1: quoted, 3: sign } = found
      if (
        secret[column] &&
        quoted !== undefined &&
        quoted.length >= 4 &&
        !PLACEHOLDER.test(quoted) &&
        !quoted.includes('[redacted')
      ) {
        const start = at + whole.indexOf("'") + 1
        yield { start, end: start + quoted.length }
      }
      at += whole.length
      if (sign === ')') break
    }
  }
}
