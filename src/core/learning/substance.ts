import { benefitsIn, descriptionsIn, type Relations, relationsIn, reportsIn, withoutCommonplaces } from './phrases.ts'

/** What can be seen of a text in any language. */
export interface Substance {
  /** Different names, numbers, paths and commands. */
  anchors: number
  /** How many other words say something in particular. */
  telling: number
  /** Whether it says when something holds, why, what not to do, what to do, and what happens otherwise. */
  relations: Relations
  /** How many words it has that reports have, that tell what code does, and that would praise anything. */
  reports: number
  descriptions: number
  benefits: number
}

export function substanceOf(text: string): Substance {
  return {
    anchors: anchorsIn(text),
    telling: wordsIn(withoutCommonplaces(text)),
    relations: relationsIn(text),
    reports: reportsIn(text),
    descriptions: descriptionsIn(text),
    benefits: benefitsIn(text),
  }
}

const NAMED =
  /`[^`]+`|["“”„«「『][^"“”„«»」』\n]{2,60}["“”»」』]|(?<![\w.-])[\w.-]+\/[\w./-]+|(?<![\p{L}\d])[\w-]{1,100}\.[a-z]{1,5}(?![\p{L}\d])|(?<!\S)--?[a-z][\w-]+=?|(?<![\p{L}\d])[A-Z][A-Z0-9_]+(?![\p{L}\d])|\w{1,100}\(\)|\d+(?:[.,:]\d+)*|[a-z]\w{0,100}[A-Z]\w*|\w{1,100}_\w+/gu
const IN_OTHER_SCRIPT = /(?<![\p{Script=Latin}\d_])\p{Script=Latin}{2,}/gu
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\s]/u

/** How many different names, numbers, paths and commands it has; in another script Latin words are names. */
function anchorsIn(said: string): number {
  const found = [...said.matchAll(NAMED), ...(OTHER_SCRIPT.test(said) ? said.matchAll(IN_OTHER_SCRIPT) : [])]
  return new Set(found.map(([name]) => name.toLowerCase())).size
}

/** The same text whatever it is about: a sign for every name, and one for every number. */
export function withoutNames(text: string): string {
  return text.replaceAll(NAMED, (name) => (/^\d/.test(name) ? ' # ' : ' § ')).toLowerCase()
}

const WORD = /[\p{L}\p{M}]{4,}/gu
/** Vietnamese sets every syllable apart. */
const SHORT_WORD = /[\p{L}\p{M}]{2,}/gu
const OF_SYLLABLES = /[ăđơưạảấầẩẫậắằẳẵặẹẻẽềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu
const SYLLABLES = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/gu
const PER_WORD = 2

/** How many different words it has. Where words are not set apart, two signs make one. */
function wordsIn(text: string): number {
  const signs = text.match(SYLLABLES)?.length ?? 0
  const words = text.replace(SYLLABLES, ' ').match(OF_SYLLABLES.test(text) ? SHORT_WORD : WORD) ?? []
  return new Set(words.map((word) => word.toLowerCase())).size + Math.floor(signs / PER_WORD)
}
