import { kindNamed } from '../kinds-of-files.ts'
import { DUTCH_ADAPT, IN_PORTUGUESE, NAMED_ASIDE, STRESSED_ASIDE } from '../languages/clause-words.ts'
import { pathsIn } from '../paths-in.ts'

const BREAK =
  /[;!?。！？；，]|(?<!exceptions?|except|ausnahmen?|eccezione|excepción|exceção|following|limits|these|files)[:：](?=\s|$)|：|\.(?=\s|$)|,(?!\s{0,3}(?:(?:and|or|und|oder|et|ou|y|o|e|en|i|и)\s)?[\w@-]{0,60}[./][\w/])|(?<=\s(?:it|them|those|there|that|this|one|alone|again)),|(?<=[てでしがに])、|\s[-–—]{1,3}\s|—|\s(?<!(?:nothing|nowhere|anything|everything|all|none)\s)but(?=\s)|\s(?:because|since|although|though|aber|sondern|weil|mais|car|pero|porque|ma|perché|mas|maar|want|omdat|ale|bo|но|а|потому|але|men|ama)(?=\s)|\s(?:and|und|et|y|e|en|i|и|та|och|og|ve)(?=\s(?:do|don['’]?t|never|not|no|nicht|nichts|keine?|ne|surtout|non|não|niet|nie|не|inte|ikke|leave|keep|stay|steer|lass|lasse|laisse|deja|deixe|lascia|laat|zostaw|оставь|залиш|and|so|kom)\s)/i

/** The thoughts of a sentence; what stands in brackets without a path is an aside. */
export function clausesOf(sentence: string): string[] {
  return sentence
    .replace(/, wie (?=(?:er|sie|es) (?:ist|sind))/i, ' wie ')
    .replace(IN_PORTUGUESE.test(sentence) ? /(?<!\p{L})no(?=\s)/giu : /$^/, 'in')
    .replace(DUTCH_ADAPT, 'wijzig')
    .replace(STRESSED_ASIDE, ' ')
    .replace(NAMED_ASIDE, (said, noun: string, name: string) => (kindNamed(noun.toLowerCase()) ? said : name))
    .replace(/(?<!\/)[（(]([^()（）]{0,200})[)）]?/g, (aside, inside: string) =>
      pathsIn(inside).length > 0 ? aside : ' ',
    )
    .split(BREAK)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
}

export interface Word {
  text: string
  start: number
  end: number
}

export function wordsIn(clause: string): Word[] {
  return [...clause.matchAll(/[^\s()（）"“”«»]+/g)].map(({ 0: text, index }) => ({
    text: text.toLowerCase().replace(/(?<![.,])[.,]+$/, ''),
    start: index,
    end: index + text.length,
  }))
}
