import { identifierParts, identifiers, stem } from '../text/words.ts'
import { clausesOf, wordsIn } from './clauses/clauses-of.ts'
import { isClosing } from './clauses/refuses.ts'
import { WORKS } from './clauses/work-verbs.ts'
import { isOrdered } from './kinds-of-files.ts'
import { ASKS_LEAVE } from './languages/clause-words.ts'
import { EXCEPTING, ONLY, REFUSING } from './languages/refusing.ts'
import { pathsIn } from './paths-in.ts'
import { type Target, targetsIn } from './targets.ts'

/**
 * What a text asks to change, apart from what it only names: the object of a clause that orders or wishes for something and
 * refuses nothing. No limit of the same words can close it.
 */

/** The files that are asked for by their paths. */
export function filesAskedFor(sentences: readonly string[]): string[] {
  return placesAskedFor(sentences).filter((path) => /\.\w+$/.test(path))
}

/** The folders and files that a clause asks to change, by their paths. */
export function placesAskedFor(sentences: readonly string[]): string[] {
  return sentences
    .flatMap(askingClauses)
    .flatMap((clause) =>
      pathsIn(clause).filter((path) => {
        const before = clause.slice(0, clause.indexOf(path))
        return !BESIDE.test(before) && !EXCEPTING.test(before)
      }),
    )
    .concat(sentences.flatMap(requiredOf), itemsAskedFor(sentences))
}

/** "Recreate these files: - admin/layout.tsx: …": the paths with which the items of a request begin. */
function itemsAskedFor(sentences: readonly string[]): string[] {
  let isUnderRequest = false
  return sentences.flatMap((sentence) => {
    const [path] = pathsIn(sentence)
    const isItem = path !== undefined && sentence.replace(/^`/, '').startsWith(path)
    if (!isItem) isUnderRequest = /:\s*$/.test(sentence) && askingClauses(sentence).length > 0
    return isItem && isUnderRequest && !clausesOf(sentence).some(isClosing) ? [path] : []
  })
}

/** "a.ts should log who did it": a file that is to do something from now on. */
function requiredOf(sentence: string): string[] {
  return [...sentence.matchAll(REQUIRED)].flatMap(({ groups }) => pathsIn(groups!.file!))
}

const REQUIRED =
  /(?<![\w./-])(?<file>`?[\w./-]{1,120}\.\w{1,8}`?) (?:should|must|needs to|has to|ought to|shall) (?!not\b|never\b|only\b|stay|remain|keep|wait|continue|be (?!able|renamed|moved|split|replaced|rewritten|updated|changed|extended|removed|deleted))[a-z]/gi

/** "Update a.ts to match b.ts", "add tests for b.ts": named beside what is to be changed. */
const BESIDE =
  /(?<![^\s(])(?:(?:see|vgl\.|siehe|voir|véase|ver|vedi|zie|zob\.|см\.)\s|(?:match(?:es)?|uses?|using|calls?|calling|imports?|importing|follows?|following|like|than|nutzt|verwendet|benutzt|wie|comme|como|come|zoals|jak|как)\s(?:\S{1,20}\s){0,3}|(?:from|for|with|via|aus|mit|für|depuis|avec|desde|con|uit|met|voor|из|для)\s(?:\S{1,20}\s)?)[`(]?$/i

/** What is asked for in other words than a path: a name as programs have them, or a kind of file ("add a test"). */
export function targetsAskedFor(sentence: string): Target[] {
  return [...targetsOpened(sentence), ...objectsAskedFor(sentence)]
}

/** "Translate the strings (values-pl)": which of several files of one name is asked for. */
export function variantsAskedFor(sentence: string): Target[] {
  if (askingClauses(sentence).length === 0) return []
  const names = sentence.match(/(?<![\w./-])[A-Za-z]{2,30}-[A-Za-z]{2,30}(?![\w./-])/g) ?? []
  return names.map((name) => {
    const words = identifiers(name).flatMap(identifierParts).map(stem)
    return { is: 'words', words, sorts: [], isFile: true }
  })
}

/** "The release is out, pubspec is open again": who opens a place wants changes there. */
export function targetsOpened(sentence: string): Target[] {
  return clausesOf(sentence)
    .flatMap((clause) => (OPENED.exec(clause) ?? NEXT.exec(clause))?.groups?.what ?? [])
    .flatMap((what) => targetsIn(what, true))
    .filter(({ is }) => is === 'words' || is === 'path')
}

/** "And now the backend part": what comes next is what is asked for. */
const NEXT =
  /^(?:(?:ok(?:ay)?|alright|great|good|and|so|then|und|gut|et|bon|y|e|en|i|а|и)\s){0,2}(?:now|next|jetzt|nun|maintenant|ahora|adesso|ora|agora|nu|teraz|теперь|тепер)\s(?:for\s|on to\s|to\s|noch\s){0,2}(?:the|das|die|der|den|le|la|les|el|los|las|il|lo|i|gli|o|a|os|as|het|de)?\s?(?<what>[\p{L}\w./-]{2,40})(?:\s(?:part|parts|side|bit|teil|seite|partie|parte|deel))?(?:\s(?:please|bitte|too|as well|auch))?$/iu

const OPENED =
  /^(?:(?:ok(?:ay)?|and|now|also|the|so|und|die|der|das|et|le|la|les|y|el|los)\s){0,3}(?<what>[\w@./-]{2,60}) (?:(?:is|are) (?:now )?(?:open|free|allowed|unlocked|unfrozen|fair game)|(?:ist|sind) (?:wieder |jetzt )?(?:frei|offen|erlaubt)|(?:est|sont) (?:de nouveau |à nouveau )?(?:ouverte?s?|libres?|permise?s?)|(?:está|están) (?:abiert|liberad|permitid)[oa]s?)(?!\p{L})(?! (?:to|for|by|from|in|zu|pour|para)(?!\p{L}))/iu

function objectsAskedFor(sentence: string): Target[] {
  return askingClauses(sentence)
    .filter((clause) => !ONLY.test(clause) && !EXCEPTING.test(clause))
    .flatMap((clause) => [
      ...wordsIn(clause)
        .filter(({ text, start, end }) => NAME.test(clause.slice(start, end)) || isOrdered(text))
        .map(({ text, start, end }) => (isOrdered(text) ? text : clause.slice(start, end))),
      ...(clause.match(UNSPACED) ?? []),
    ])
    .flatMap((word) => targetsIn(word, true))
    .filter(({ is }) => is === 'words')
}

/** Kinds of files in languages that put no spaces between words. */
const UNSPACED = /测试|テスト|테스트|文档|ドキュメント|문서|迁移|マイグレーション|마이그레이션/g

/** `PriceCalculator`, `price_calculator`. */
const NAME = /^[A-Za-z]\w{0,60}$(?<=[a-z][A-Z]\w{0,60}|[a-z]_[a-z]\w{0,60})/

function askingClauses(sentence: string): string[] {
  const clauses = clausesOf(sentence)
  return (
    clauses
      // "Delete the duplicate: src/a.ts" is one thought.
      .map((clause, at) => {
        const next = clauses[at + 1] ?? ''
        // "list.py: add a command": the file, and what to do with it.
        if (WORKS.test(next) && pathsIn(clause)[0] === clause.replace(/`/g, '')) return `${next} ${clause}`
        return pathsIn(clause).length === 0 && pathsIn(next)[0] === next.replace(/`/g, '')
          ? `${clause} ${next}`
          : clause
      })
      .filter((clause) => (WORKS.test(clause) || WISHES.test(clause)) && !USES.test(clause) && !isClosing(clause))
      .filter((clause) => !ASKS_LEAVE.test(clause))
      .filter((clause) => !wordsIn(clause).some(({ text }) => REFUSING.has(text)) && !LEAVES.test(clause))
  )
}

/** Ways to ask for a change in the middle or at the end of a clause. */
const WISHES =
  /(?<!\p{L})(?:(?:can|could|would|will) you (?:please )?|(?:i|we)(?:['’]d| would)? (?:want|need|like)(?: you)? to |(?:let['’]s|go ahead and|please|also|then) )(?:add|fix|change|update|edit|adapt|adjust|rewrite|extend|refactor|rename|remove|delete|move|improve|replace|convert|write|implement|create|put)(?!\p{L})|(?<!\p{L})(?:beheben|ändern|anpassen|ergänzen|einbauen|umbauen|erweitern|korrigieren|reparieren|hinzufügen|schreiben|ersetzen|entfernen|löschen|umbenennen|aanpassen|wijzigen|toevoegen|oplossen|bijwerken|repareren)\s*[.!]?$|(?<!\p{L})(?:alterações|mudanças|changes?|änderungen|modifications|cambios|modifiche|wijzigingen|zmiany) (?:devem|must|should|belong|go|sollen|gehören|doivent|deben|devono|moeten|mają)(?!\p{L})|(?:修正|変更|追加|実装|更新|編集|削除|作成)し(?:て|たい)|直して|(?:^|请|帮我|把|在).{0,60}(?:修改|修复|添加|增加|更新|改成|改为|加上|实现|重写|删除)|(?:수정|추가|변경|구현|삭제|작성)(?:해|하고 싶)|고쳐/iu

/** To use or to read a file is not to change it; to bring it back may well be so that it stays. */
const USES =
  /^\S{0,3}(?:(?:please|bitte|and|then|now|also)\s){0,2}(?:use|do|get)\s|\b(?:revert|restore|undo|put back)\b/i
const LEAVES =
  /\b(?:leave|keep|stays?|remains?|except|but not|lass|bleibt|laisse|reste|sauf|deja|queda|salvo|lascia|resta|tranne|deixa|fica|laat|blijft|zostaw)\b|остав|кроме/i
