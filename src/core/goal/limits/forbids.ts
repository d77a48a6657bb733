import { sortOf } from '../kinds-of-files.ts'
import { isAt, meets } from '../meets.ts'
import type { Target } from '../targets.ts'
import { isOutright, onlyAnswers, PERHAPS } from './answer-only.ts'
import type { Limit } from './limit.ts'
import { meantBy } from './limits-in.ts'

/** What a change does with its file. */
export type Deed = 'edits' | 'removes' | 'creates'

/** The limit that stands in the way of changing a path. "Only these" opens what else the user has asked to change. */
export function forbiddenBy(
  limits: readonly string[],
  path: string,
  wanted: readonly string[] = [],
  deed: Deed = 'edits',
  isRestKnown = true,
): string | undefined {
  const isWanted = ({ forbids, isRest }: Limit) =>
    forbids === 'others' &&
    ((isRest && !isRestKnown) ||
      wanted.some(
        (place) => isAt(place, path) || (isRest && TEST.test(path) && isTestOf({ is: 'path', path: place }, path)),
      ))
  return limits.find(
    (said) =>
      !said.startsWith(PERHAPS) &&
      (onlyAnswers(said) || meantBy(said).some((limit) => closes(limit, path, deed) && !isWanted(limit))),
  )
}

/** Whether the words close a path by rules that can be shown, and not by what a reader has learned to expect. */
export function isProven(said: string, path: string, deed: Deed = 'edits'): boolean {
  return onlyAnswers(said)
    ? isOutright(said)
    : meantBy(said).some((limit) => isCertain(limit) && closes(limit, path, deed))
}

/** "The styles only": who keeps to what words describe closes all the rest, and which files are meant is a guess. */
function isCertain({ isLearned, forbids, targets }: Limit): boolean {
  return !isLearned && (forbids === 'named' || targets.every(({ is }) => is !== 'words'))
}

function closes({ said, forbids, targets, except, isKept }: Limit, path: string, deed: Deed): boolean {
  if (isKept && deed !== 'removes') return false
  if (deed === 'creates' && forbids === 'named' && LEAVES_ROOM.test(said)) return false
  // "Only shipping.php and the test that goes with it".
  if (forbids === 'others' && WITH_TESTS.test(said) && TEST.test(path)) return false
  if (except.some((target) => meets(target, path))) return false
  const isNamed =
    forbids === 'named'
      ? targets.some((target) => meets(target, path) && !isTestOfWords(target, path))
      : targets.some((target) => meetsInPart(target, path))
  // "CSS only", "only src/mailer.ts": a test of it is hardly what the user wants to keep out.
  if (
    forbids === 'others' &&
    !isNamed &&
    targets.length > 0 &&
    TEST.test(path) &&
    targets.every((target) => isTestOf(target, path))
  )
    return false
  if (
    forbids === 'others' &&
    LOCK.test(path) &&
    targets.some((target) => target.is === 'path' && MANIFEST.test(target.path))
  )
    return false
  return forbids === 'named' ? isNamed : !isNamed
}

/** "Only the mobile app": of several words that leave something open, one may be no part of its path. */
function meetsInPart(target: Target, path: string): boolean {
  if (target.is !== 'words' || target.isName) return meets(target, path)
  const alone = [
    ...target.words.map((word) => ({ words: [word], sorts: [] })),
    ...target.sorts.map((sort) => ({ words: [], sorts: [sort] })),
  ]
  return alone.some((one) => meets({ ...target, ...one }, path))
}

/** "Old migrations are applied, so don't edit them; add a new one if you have to": what is not there yet is not meant. */
const LEAVES_ROOM =
  /(?<!\p{L})(?:existing|applied|(?:add|create|write|make) (?:a )?(?:new|separate|fresh)(?: one| ones)?|(?:a )?new ones? (?:is|are)|bestehende[nrms]?|vorhandene[nrms]?|(?:eine )?neue (?:anlegen|schreiben|hinzufügen)|existante?s?|(?:ajoute|crée)[sz]?(?:-en)? une? nouve(?:lle|au)|existentes?|(?:añade|agrega|crea) un[oa] nuev[oa]|esistent[ei]|(?:aggiungi|crea)(?:ne)? un[oa]? nuov[oa]|(?:adiciona|cria|crie) uma? nov[oa]|bestaande|(?:maak|voeg) een nieuwe|istniejąc\p{L}{1,3}|(?:dodaj|utwórz) now[ąyea]|существующ\p{L}{2,3}|(?:добавь|создай) нов\p{L}{2})(?!\p{L})|现有|已有|既存|기존/iu

const WITH_TESTS =
  /(?<!\p{L})(?:and|und|et|y|e|en|i|и|та|ve|plus|\+|&|with|mit|avec|con|com|met|z|с)\s(?:\p{L}{1,12}\s){0,2}(?:tests?|specs?|pruebas?|testes?|testy|тест\p{L}{0,3})(?!\p{L})|(?:和|及|と).{0,6}(?:测试|テスト)/iu

/** Who may change what a project depends on may change what the tools make of it. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|Cargo\.toml|pyproject\.toml|go\.mod|Gemfile|composer\.json|Pipfile|mix\.exs|pubspec\.yaml)$/

const LOCK = /(?:^|\/)[\w.-]{0,40}(?:lock(?:\.\w{1,5})?|lock\.(?:json|ya?ml)|\.sum)$/

/** "Leave the parser as it is" says nothing of its tests. */
function isTestOfWords(target: Target, path: string): boolean {
  if (target.is !== 'words' || target.sorts.some(isOfTests) || !TEST.test(path)) return false
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return !meets(target, folder)
}

function isOfTests(sort: string): boolean {
  return sortOf.get(sort)?.test('test_a.py') ?? false
}

function isTestOf(target: Target, path: string): boolean {
  if (target.is !== 'path') return target.is === 'words'
  const name = target.path.split('/').at(-1)!.split('.')[0]!.toLowerCase()
  return name.length > 2 && target.path.includes('.') && path.split('/').at(-1)!.toLowerCase().includes(name)
}

const TEST = /(^|[/._-])(tests?|specs?|__tests__)([/._-]|$)|[a-z](Tests?|Spec)\.\w+$/
