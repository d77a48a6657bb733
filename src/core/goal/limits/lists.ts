import type { Target } from '../targets.ts'
import { isHeadOfBan } from './whole.ts'

/** "Out of scope:", "Do not touch" and a list below it: each item is closed by what stands above. */
const HEADS = String.raw`(?:(?:you (?:may|can|must|should) ?not (?:touch|change|edit|modify)|(?:don['’]?ts?|do nots?)|(?:files? )?(?:not to|to not) (?:touch|change|edit|modify)|leave|skip|ignore|exclude|excluded|exceptions?|ausnahmen?|excepciones|eccezioni|exceções|not|untouched|unchanged)(?=\s{0,2}[:：])|no[- ]touch(?: (?:zones?|boundaries|files|list|areas?))?|do[- ]not[- ]touch(?: (?:zones?|files|list))?|protected (?:files|paths|areas)|out of scope|not in scope|non-goals?|off[- ]limits|hands off|(?:please )?(?:do not|don['’]?t|never) (?:touch|change|modify|edit|alter)(?: (?:these|the following|any of these|anything in|files?))*|(?:leave|keep) (?:these |the following )?(?:files? )?(?:alone|untouched|unchanged)|(?:leave|keep) (?:alone|untouched|unchanged)|read[- ]only|frozen|forbidden|untouchable|nicht anfassen|nicht ändern|tabu|ne pas (?:toucher|modifier)|hors périmètre|no tocar|fuera de alcance|non toccare|não mexer|niet aanpassen|nie ruszać|не трогать|не менять|не чіпати|不要(?:动|改|修改)|禁止修改|触らない|変更禁止|건드리지 말 것)`

const HEAD = new RegExp(String.raw`^[\s#*_>-]{0,6}${HEADS}[^.!?\n]{0,40}$`, 'i')

/** The same with what it closes on one line: "Non-goals: apps/shop, packages/ui". */
const HEADED = new RegExp(String.raw`^[\s#*_>-]{0,6}${HEADS}[^.!?\n:：]{0,40}[:：]\s{0,3}(?<items>.{2,300})$`, 'i')

/** What a sentence closes that begins with a head: `Files you must not touch: src/auth.ts`. */
export function itemsUnderHead(sentence: string): string | undefined {
  const headed = HEADED.exec(sentence)?.groups?.items
  if (headed !== undefined) return headed
  const at = sentence.search(/[:：]\s/)
  return at > 0 && isHeadOfBan(sentence.slice(0, at)) ? sentence.slice(at + 1).trim() : undefined
}

const ITEM = /^\s{0,8}(?:[-*•]|\d{1,2}[.)])\s+\S/

/** A title, or a line that ends in a colon: an item of a list that refuses something is not the head of those after it. */
function isHead(line: string): boolean {
  const isTitle = /^\s{0,3}(?:#|\*\*)|[:：][\s*_]{0,4}$/.test(line)
  return (HEAD.test(line) && (isTitle || !ITEM.test(line))) || (isTitle && isHeadOfBan(line))
}

export function isPlaced(target: Target): boolean {
  return target.is === 'path' || target.is === 'code' || (target.is === 'words' && target.words.length <= 3)
}

export function withLists(text: string): string {
  if (!text.includes('\n')) return text
  const lines: string[] = []
  let head: string | undefined
  for (const line of text.split('\n')) {
    if (isHead(line)) head = line.replace(/^[\s#*_>-]{1,8}/, '').replace(/(?<![\s:：*_])[\s:：*_]{1,8}$/, '')
    else if (head !== undefined && ITEM.test(line)) {
      lines.push(`${head}: ${line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')}`)
      continue
    } else if (line.trim() !== '') head = undefined
    lines.push(line)
  }
  return lines.join('\n')
}
