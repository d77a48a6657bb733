import { identifierParts, identifiers, stem } from '../text/words.ts'
import { kindNamed, SEEN, sortOf } from './kinds-of-files.ts'
import { PARTS, PLAIN, QUALITIES } from './languages/plain-words.ts'
import { PATH, pathsIn } from './paths-in.ts'

/** What a limit is about: a place in the project, or a kind of file that words describe. */
export type Target =
  | { is: 'path'; path: string }
  /** Every word must be met by the path; `sort` narrows it to a kind of file. A name is one as programs have them. */
  | { is: 'words'; words: string[]; sorts: string[]; isFile: boolean; isPlace?: boolean; isName?: true }
  /** Source code, in whatever language; its tests are not meant. */
  | { is: 'code' }
  | { is: 'everything' }

/** Whether a word names nothing: an article, "file", "the rest". */
export function isPlainWord(word: string): boolean {
  return PLAIN.has(word) || PARTS.has(word) || QUALITIES.has(word)
}

/** Whether a word is one of the qualities of a program. */
export function isQuality(word: string): boolean {
  return QUALITIES.has(word)
}

/** Qualities that are folders too, where they are named as something to stay away from. */
const PLACES = new Set('api apis theme themes data types features rules'.split(' '))

const EVERYTHING =
  /^(?:(?:any|every|some|single|of|the|your|my|our|existing|actual|more|other|at all|in|this|project|repo|repository|code ?base|yourself|here|now|yet)\s+)*(?:anything|everything|nothing|a thing|any ?thing|(?<=any )file|files|code ?base|repo(?:sitory)?|project|files? at all|alles|nichts|irgendetwas|irgendwas|nada|tout|rien|niente|tutto|nulla|tudo|niets|iets|nic|niczego|wszystko|ничего|все|всё|нічого)(?:\s+(?:at all|yet|yourself|here|for now|in (?:the|this) (?:repo|project)))*$/i

const CODE =
  /^(?:(?:any|the|our|my|your|existing|actual|more|new|production|implementation|application|app|source|no|of|at all|further|single|lines?)\s+)*(?:code|sources?|source ?code|source files|code files|code base|implementation)(?:\s+(?:files?|changes?|at all|yet|for (?:it|this|that|now)|here|itself|selbst))*$|^(?:(?:il|el|le|o|der|den|het)\s)?(?:(?:codice|código|codigo|code)\s(?:di|de)\s(?:produzione|producción|production|produção)|produktions?code|productiecode|kod produkcyjny)$|^(?:代码|コード|코드|код[аеу]?|código|codice|kod[u]?|code|codigo|quellcode)$/i

/** "Anything in the theme package" is the theme package. */
const ANYTHING_IN =
  /^(?:anything|everything|any(?: of the)? (?:files?|code)|all(?: the)? files|files|stuff|things|something|nothing)\s+(?:in|under|inside|within|from|below|about|to do with|related to|belonging to)\s+/i

/** "Anything in src" is the folder of that name. */
const IN_FOLDER =
  /^(?:anything|everything|any(?: of the)? files?|all(?: the)? files|files|stuff|things|something|nothing|a thing)\s(?:in|under|inside|within|below)\s(?:the\s)?(?<folder>[\w-]{2,40})(?:\s(?:folder|directory|dir))?$/i

/** "Other files like src/a.ts and docs/": what follows is meant. */
const SUCH_AS =
  /^(?:(?:any|all|the|other|of|our|existing)\s){0,3}(?:files?|folders?|director(?:y|ies)|modules?|packages?|places?|parts?|things?|components?|pages?)(?:(?:\s(?:and|or)\s|\/)(?:files?|folders?|directories|modules|packages|components|cards|pages)){0,2}[\s,]{1,2}(?:like|such as|including|e\.?g\.?)[\s,:]{1,2}/i

/** "The markup in legacy/": the place is what counts. */
const INSIDE = /^(?:[\w-]+\s){1,4}(?:in|under|inside|within|from)\s+(?:the\s)?(?=[@\w.~-]*[/*])/i

const WHEN =
  /(?<!\s)\s+(?:(?:in |for )?this (?:sprint|week|time|release|pr|month|round|task|change|commit)|today|tomorrow|for now|right now|at the moment|any ?more|here|yet|ever|at all|by hand|manually|directly|either|though|tho|itself)\b.*$/i

/** The targets that a phrase names. `strong` phrases close a place whatever it is called; others must mean files. */
export function targetsIn(phrase: string, strong: boolean): Target[] {
  const folder = folderNamed(phrase)
  if (folder.length > 0) return folder
  const about = phrase
    .replace(SUCH_AS, '')
    .replace(ANYTHING_IN, '')
    .replace(/^(?:any|every)thing\s(?=[\w-]+$)/i, '')
    .replace(INSIDE, '')
    .replace(WHEN, '')
  const paths = pathsIn(isFolder(about) ? `in ${about}` : about)
  const rest = about.replace(PATH, ' , ')
  const named = paths.map((path): Target => ({ is: 'path', path }))
  const parts = rest
    .split(/[,;()+&/]|\s(?:and|or|nor|und|oder|et|ou|y|e|o|en|of|i|и|или)\s|[、和与及]|\s-\s/i)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  // "V1 and V2 migrations": what is said of the last holds for all.
  const shared = strong || (parts.length > 1 && wordsTarget(parts.at(-1)!, false)?.is === 'words')
  const words = parts.flatMap((part) => wordsTarget(part, shared) ?? [])
  named.push(...parts.flatMap(folderNamed))
  return [...named, ...(named.length > 0 ? words.filter((target) => target.is === 'words' && target.isFile) : words)]
}

/** "Anything in src". */
function folderNamed(phrase: string): Target[] {
  const path = IN_FOLDER.exec(phrase)?.groups?.folder
  const isName = path !== undefined && !isPlainWord(path.toLowerCase()) && !EVERYTHING.test(path)
  return isName && !kindNamed(path.toLowerCase()) ? [{ is: 'path', path }] : []
}

/** "website/src" is a folder, "css/markup" two kinds of files. */
function isFolder(phrase: string): boolean {
  return /^[a-z]+\/[a-z]+$/i.test(phrase) && !phrase.split('/').every((word) => sortOf.has(word.toLowerCase()))
}

/** What is called a file or a folder is one, whatever it is named after. */
const CONTAINER = /\b(?:files?|folders?|director(?:y|ies)|packages?|modules?|dirs?)\b/i

/** Nouns of languages without spaces, by the word that a path has for them; the rest of a phrase is particles. */
const ASIAN_NOUNS: [RegExp, string][] = [
  [/测试|テスト|테스트/g, ' test '],
  [/文档|ドキュメント|문서/g, ' docs '],
  [/迁移|マイグレーション|마이그레이션/g, ' migration '],
  [/配置|設定|설정/g, ' config '],
  [/数据库|データベース|데이터베이스/g, ' database '],
  [/服务端|服务器|サーバー(?:側|サイド)?|서버/g, ' server '],
  [/前端|フロントエンド|프론트엔드/g, ' frontend '],
  [/后端|バックエンド|백엔드/g, ' backend '],
  [/脚本|スクリプト|스크립트/g, ' script '],
  [/样式|スタイル|스타일/g, ' style '],
  [/依赖|依存関係|의존성/g, ' dependencies '],
  [/翻译|翻訳|번역/g, ' translation '],
  [/接口定义|スキーマ|스키마/g, ' schema '],
]

const ASIAN_PARTICLES =
  /已有|既存|现有|一律|側|接口|表结构|结构|表|目录|文件夹|文件|下面|下|里面|里|中|任何|所有|的|模块|部分|这个|那个|任意|一切|全部|这些|那些|相关|ファイル|フォルダ|ディレクトリ|配下|内|モジュール|以下|すべて|全て|の|は|を|に|コード|代码|파일들?|폴더|디렉터리|디렉토리|코드|모듈|안의|내의|부분/g

function spelledOut(phrase: string): string {
  if (!/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(phrase)) return phrase
  const named = ASIAN_NOUNS.reduce((text, [noun, word]) => text.replace(noun, word), phrase)
  return named === phrase && CODE.test(phrase.trim()) ? phrase : named.replace(ASIAN_PARTICLES, ' file ').trim()
}

export const OTHERS_OF =
  /^(?:(?:any|all|the|no|of|my|our|your|die|den|alle|les|des|d['’]|los|las|gli|le|i|os|as|de|het|никакие|все)\s)*(?:other|others|remaining|andere[nrs]?|übrige[nrs]?|autres?|otr[oa]s?|demás|altr[oaie]|outr[oa]s?|overige|inne|innych|други[ехм]|інші|diğer|başka|andra|övriga)\s/iu

const COINED = /[a-z][A-Z]|[a-z]_[a-z]/

/** Names that nothing but a folder has. */
const FOLDER_NAMES = new Set(
  'src lib libs cmd pkg internal infra vendor dist node_modules crates dags e2e k8s third_party'.split(' '),
)

/** "Servercode", "Bluetooth-Datei": the kind of thing is a part of the word. */
const GERMAN_COMPOUND =
  /(?<!\p{L})(server|client|frontend|backend|\p{L}{3,30}-)(?:code|datei(?:en)?|ordner)(?!\p{L})/giu

function wordsTarget(said: string, strong: boolean): Target | undefined {
  const phrase = spelledOut(said).replace(GERMAN_COMPOUND, '$1 files')
  if (phrase === '') return undefined
  // "Any other screen": which ones are not meant cannot be told from a path.
  if (OTHERS_OF.test(phrase)) return undefined
  // Whether a file is new cannot be told from its name.
  if (/\bexisting (?:code|files?|sources?)$/i.test(phrase)) return undefined
  if (EVERYTHING.test(phrase)) return { is: 'everything' }
  if (CODE.test(phrase)) return { is: 'code' }
  const all = identifiers(phrase)
  if (all.length > 8) return undefined
  const isCoined = (word: string) => word.length > 2 && (/[a-z][A-Z]|_|\d/.test(word) || /^[A-Z]{3,}$/.test(word))
  const kept = all.filter((word) => !PLAIN.has(word.toLowerCase()))
  if (kept.length === 0 || kept.length > 5) return undefined
  if (kept.length === 1 && FOLDER_NAMES.has(kept[0]!)) return { is: 'path', path: kept[0]! }
  const isQuality = (word: string) =>
    QUALITIES.has(word.toLowerCase()) && !(strong && kept.length === 1 && PLACES.has(word.toLowerCase()))
  if (!CONTAINER.test(phrase) && kept.some(isQuality)) return undefined
  const sorts = kept.filter((word) => sortOf.has(word.toLowerCase())).map((word) => word.toLowerCase())
  const isFile = sorts.length > 0 || all.some((word) => PARTS.has(word.toLowerCase()) || isCoined(word))
  if (!strong && !isFile) return undefined
  // "GpsFilter works well": a name as programs have them says it all.
  const names = kept.filter((word) => COINED.test(word))
  const telling = names.length > 0 ? names : kept
  const words = telling.flatMap((word) => (sortOf.has(word.toLowerCase()) ? [] : identifierParts(word).map(stem)))
  const isPlace =
    CONTAINER.test(phrase) ||
    /\binventor(?:y|ies)\b/i.test(phrase) ||
    sorts.some((sort) => !SEEN.has(sort)) ||
    (sorts.length > 0 && kept.length === 1)
  return { is: 'words', words, sorts, isFile, isPlace, ...(names.length > 0 && { isName: true as const }) }
}
