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
const LANGUAGES = [german, french, spanish, italian, portuguese, dutch, polish, slavic, chinese, japanese, korean]

/** The languages that a text may be in. */
export function languagesOf(text: string): Language[] {
  return LANGUAGES.filter(({ when }) => when.test(text))
}
