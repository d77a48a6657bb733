import { chinese } from './chinese.ts'
import { dutch } from './dutch.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import type { Language } from './grammar.ts'
import { italian } from './italian.ts'
import { japanese } from './japanese.ts'
import { korean } from './korean.ts'
import { polish } from './polish.ts'
import { portuguese } from './portuguese.ts'
import { slavic } from './slavic.ts'
import { spanish } from './spanish.ts'

/** Beside English, which people mix into everything. Russian and Ukrainian are read as one. */
export const LANGUAGES = [
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  slavic,
  chinese,
  japanese,
  korean,
]

const SHORT = 80

/** The languages that a text may be in: one word of a language may be anything, two hardly are. */
export function languagesOf(text: string): Language[] {
  const isKana = /[\u3040-\u30ff]/.test(text)
  return LANGUAGES.filter((language) => {
    // Japanese is written with Chinese signs too.
    if (isKana && language === chinese) return false
    const { when } = language
    const first = when.exec(text)?.[0]
    if (first === undefined) return false
    if (text.length < SHORT || /[^ -~]/.test(first)) return true
    return text
      .slice(0, 2000)
      .split(/[^a-z\u00c0-\u024f'’]+/i)
      .some((word) => word.toLowerCase() !== first.toLowerCase() && isWhole(when, word))
  })
}

function isWhole(when: RegExp, word: string): boolean {
  return when.exec(word)?.[0] === word
}
