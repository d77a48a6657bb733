/**
 * Work that the user has taken and only wants handed over: "works, commit and push". Once the agent has done that, a
 * change of one more file is work that nobody asked for.
 */
import type { Check } from './checks/check.ts'
import { type DriftAction, gistOf } from './gist.ts'

const HANDS_OVER =
  /^(?:commit|committen|commits?|commitar|commitea|push|pushen|pushe|merge|einchecken|commite[rz]?|pousse[rz]?|sube|wypchnij|закоммить|запушь)$/
/** What may stand beside it and asks for nothing else. */
const BESIDE = new Set(
  `ok okay yes yep yeah great good perfect nice thanks thank you thx cool super lgtm fine works work working looks look right well done now
then and also please pls can could just go ahead to on in into the a an it this that them these all everything tests test green pass passed passing are is
branch main master origin remote upstream changes change one single as with message separate commit pr pull request mr open create make
gut danke bitte und jetzt dann passt alles mal noch das es die sieht aus läuft merci parfait bien s'il te plaît et maintenant c'est bon les
perfecto gracias bien y ahora haz hace por favor los cambios un el vale perfetto grazie bene e adesso fai dobrze dzięki proszę i teraz zrób
хорошо спасибо и теперь пожалуйста graag dank goed en nu`.split(/\s+/),
)
const HANDS_OVER_CJK =
  /^(?:好的?|可以了?|行|没问题|谢谢|请|那就?|帮我|いいね|ありがとう|では|じゃあ|それでは|좋아요?|그럼|[,，、。！!\s])*(?:提交|推送|コミット|プッシュ|커밋|푸시)(?:并|和|然后|して|と|하고|提交|推送|コミット|プッシュ|커밋|푸시|一下|吧|了|代码|しておいて|してください|お願いします|お願い|해줘|해주세요|[,，、。！!\s])*$/
const MOST_WORDS = 16

/** Whether an instruction asks for nothing but to hand over what is there. */
export function asksToHandOver(text: string): boolean {
  if (HANDS_OVER_CJK.test(text.trim())) return true
  const plain = text.toLowerCase().replace(/["“'‘`][^"”'’`\n]{1,100}["”'’`]|\S{1,100}\/\S{1,100}/g, ' ')
  const words = plain.match(/\p{L}[\p{L}'’]*/gu) ?? []
  if (words.length > MOST_WORDS) return false
  return words.some((word) => HANDS_OVER.test(word)) && words.every((word) => HANDS_OVER.test(word) || BESIDE.has(word))
}

/** Whether a request for work ends with handing it over: "count half hours, then commit". */
export function endsInHandingOver(text: string): boolean {
  // Several are made on the way.
  if (SEVERAL_COMMITS.test(text)) return false
  const parts = text.trim().split(/[.;,!?\n。，！](?=\s|$)|\b(?:then|afterwards|danach|dann|puis|luego|poi)\b/i)
  return parts.length > 1 && asksToHandOver(parts.findLast((part) => part.trim() !== '') ?? '')
}

const SEVERAL_COMMITS = /\b(?:commits|separate(?:ly)?|one by one|after each|each (?:in|with|as)|jeweils|einzeln)\b/i

const HANDING_OVER = new Set(['git commit', 'git push', 'git merge', 'gh pr create', 'glab mr create'])

/** Whether one of the programs that a command line runs hands work over. */
export function handsOver(programs: readonly string[]): boolean {
  return programs.some((program) => HANDING_OVER.has(program))
}

/** A change of a file that was no part of the work; `delivered` are the words that asked to hand it over, once that is done. */
export function checkDelivered(action: DriftAction, delivered: string | undefined): Check | undefined {
  const { kind, path } = action
  if (delivered === undefined || path === undefined || (kind !== 'edit' && kind !== 'write')) return undefined
  const role = gistOf(action)?.role
  if (role === 'docs') return undefined
  const why = `the user asked for no more than “${delivered}”, and that is done`
  return { lowers: 0, atMost: 6, reason: { file: path, why } }
}
