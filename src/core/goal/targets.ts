import { boundedGlob } from '../text/glob.ts'
import { identifierParts, identifiers, stem } from '../text/words.ts'

/** What a limit is about: a place in the project, or a kind of file that words describe. */
export type Target =
  | { is: 'path'; path: string }
  /** Every word must be met by the path; `sort` narrows it to a kind of file. */
  | { is: 'words'; words: string[]; sorts: string[]; isFile: boolean; isPlace?: boolean }
  /** Source code, in whatever language; its tests are not meant. */
  | { is: 'code' }
  | { is: 'everything' }

const EXTENSION =
  '(?:[mc]?[jt]sx?|py|go|rs|rb|erb|java|kts?|swift|c|cc|cpp|h|hpp|cs|csproj|php|exs?|heex|dart|vue|svelte|lua|sql|proto|prisma|graphql|mdx?|mdc|rst|txt|tex|json|jsonc|ya?ml|toml|xml|ini|cfg|conf|env|lock|sum|mod|s?css|sass|less|html?|sh|ps1|bat|tf|ipynb|csv|po|arb|gradle|plist|lean|scala|clj|hs|ml|zig|nim|al|astro|frag|vert|glsl|hlsl|wgsl|metal|shader|cmake|bzl|nix|tfvars|hcl|erl|hrl|fsx?|fsproj|vb|pl|pm|jl|mm|groovy|properties|py[ix]|ejs|hbs|pug|liquid|njk|twig|xsd|xaml|resx|storyboard|sol|gd|tscn|prefab|snap|svg|jinja2?|j2|tmpl|tpl|service|rake|podspec|gemspec|cabal)'
const PATH = new RegExp(
  [
    // A folder, or a path with one; "and/or" is read as two words below.
    String.raw`(?<![\w.@~-])@?(?:[\w.@~-]+[\\/])+[\w.@*[\]-]*`,
    String.raw`\*\.\w+`,
    String.raw`(?<![\w.@[\]-])[\w@[\]-]+(?:\.[\w-]+)*\.${EXTENSION}\b(?!\.\w)`,
    String.raw`(?<![\w.])\.[a-z][\w-]+(?:\.[\w-]+)*\b`,
    String.raw`\b(?:Dockerfile|Makefile|Jenkinsfile|Procfile|Gemfile|Rakefile|Vagrantfile|Justfile|justfile|CODEOWNERS|LICENSE|README|CHANGELOG|CONTRIBUTING)\b`,
  ].join('|'),
  'g',
)

/** Kinds of files that people name by a word of theirs, by the stem of each word. */
const SORTS: [names: string, path: RegExp][] = [
  [
    'test tests testing spec specs unittest unittests тест тесты тестов тестах тесте тесту 测试 テスト 테스트 prueba pruebas prova prove teste testes testen testy testów testi',
    /(^|[/._-])(tests?|specs?|__tests__|testsuite|testdata|e2e|cypress)([/._-]|$)|[a-z](Tests?|Spec)\.\w+$/i,
  ],
  [
    'doc docs documentation documentations readme dokumentation docu doku документация документацию документации 文档 ドキュメント 문서 documentación documentazione documentação documentatie dokumentacja dokumentację dokumentacji',
    /(^|\/)(docs?|documentation)\/|\.(mdx?|rst|adoc)$|README/i,
  ],
  [
    'migration migrations migrationen миграции миграций миграция 迁移 マイグレーション 마이그레이션 migraciones migrazioni migrações migraties migracje migracji',
    /migrat|(^|\/)alembic\//i,
  ],
  ['schema schemas schéma esquema 模式 スキーマ 스키마', /schema|\.prisma$|\.graphql$/i],
  ['css style styles styling stylesheet stylesheets scss', /\.(s?css|sass|less|styl|pcss)$/i],
  [
    'markup html template templates',
    /\.(html?|erb|haml|slim|vue|svelte|jsx|tsx|twig|ejs|hbs|pug|heex|leex|j2|jinja2?|astro|blade\.php)$|(^|\/)(templates?|views?)\//i,
  ],
  ['view views vue vues vistas vista', /(^|\/)views?\/|views?\.\w+$|\.(html?|erb|haml|twig|blade\.php)$/i],
  [
    'config configs configuration configurations settings konfiguration конфиг конфиги конфигурацию 配置 設定 설정 configuración configurazione configuração configuratie konfiguracja konfigurację',
    /(^|[/._-])(conf|configs?|configuration|settings?)([/._-]|$)|\.(toml|ini|cfg|conf|env)$|\.[\w-]+rc(\.\w+)?$|config\.\w+$/i,
  ],
  [
    'ci pipeline pipelines workflow workflows',
    /(^|\/)\.(github|gitlab|circleci|buildkite)|gitlab-ci|jenkinsfile|azure-pipelines|(^|[/._-])ci([/._-]|$)|workflows?\//i,
  ],
  [
    'dependency dependencies deps abhängigkeiten зависимости 依赖 依存関係 의존성 dependencias dipendenze dépendances dependências',
    /(^|\/)(package\.json|requirements[\w-]*(\.txt)?|pyproject\.toml|setup\.(py|cfg)|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|mix\.exs|pubspec\.yaml|\w+\.csproj|Podfile)$|lock(\.\w+)?$|\.sum$/i,
  ],
  ['lockfile lockfiles lock', /(^|\/)[\w.-]*lock(\.\w+)?$|lock\.(json|ya?ml)$|\.sum$/i],
  [
    'frontend ui client gui фронтенд фронт 前端 フロントエンド 프론트엔드',
    /(^|\/)(front-?end|client|web|ui|www|static|assets|components|pages|screens)\/|\.(tsx|jsx|vue|svelte|s?css|html?)$/i,
  ],
  [
    'backend server serverseite servidor serveur serwer serwera serveren servern сервер сервере сервера сервером бэкенд бекенд бэк 后端 服务端 服务器 サーバー バックエンド 백엔드 서버',
    /(^|\/)(back-?end|server|api)\//i,
  ],
  [
    'locale locales translation translations i18n übersetzungen переводы 翻译 翻訳 번역',
    /(^|\/)(locales?|i18n|l10n|lang|translations?)\/|\.(po|arb|xliff?)$/i,
  ],
  ['helm chart charts', /(^|\/)(helm|charts?)(\/|$)|Chart\.yaml$/i],
  ['header headers', /\.(h|hh|hpp|hxx)$/i],
  [
    'database db datenbank база базу базы 数据库 データベース 데이터베이스 base',
    /(^|[/._-])(db|database|sql|migrations?)([/._-]|$)|\.sql$|schema/i,
  ],
  ['sql', /\.sql$/i],
  ['notebook notebooks', /\.ipynb$/i],
  ['script scripts skripte скрипты скрипт 脚本 スクリプト 스크립트', /(^|\/)(scripts?|bin)\/|\.(sh|ps1|bat)$/i],
  [
    'deployment deploy deployments infra infrastructure',
    /deploy|(^|\/)(docker|helm|charts|terraform|k8s|kubernetes|infra|ansible|\.github)|\.tf$|Dockerfile|compose\.ya?ml|fly\.toml|Procfile|production|netlify|vercel/i,
  ],
  ['docker', /docker|compose\.ya?ml/i],
  ['plan', /plan[\w.-]*\.(md|mdc|txt)$/i],
  ['python', /\.py$/i],
  ['rust', /\.rs$|Cargo\.(toml|lock)$/i],
  ['golang', /\.go$|go\.(mod|sum)$/i],
  ['java', /\.java$/i],
  ['kotlin', /\.kts?$/i],
  ['swift', /\.swift$/i],
  ['ruby', /\.rb$|Gemfile/i],
  ['php', /\.php$/i],
  ['typescript ts', /\.[mc]?tsx?$/i],
  ['javascript js', /\.[mc]?jsx?$/i],
  ['golden snapshot snapshots', /golden|snapshots?/i],
  ['build', /(^|\/)(build|gradle|cmake|make)|(gradle|make|build|bazel)\b/i],
  ['generated', /generated|\.gen\.|_pb2|\.pb\./i],
]
/** Kinds that are also what people see and speak of: "the ui is frozen", "the header stays". */
const SEEN = new Set(
  'css style styles styling markup html template templates view views vue vues vistas vista frontend ui client gui server backend header headers script scripts base build plan golden'.split(
    ' ',
  ),
)
const sortOf = new Map(SORTS.flatMap(([names, path]) => names.split(' ').map((name): [string, RegExp] => [name, path])))

/** Words that say that a part of the program is meant, and not one of its qualities. */
const PARTS = new Set(
  `file files folder folders directory directories dir dirs module modules package packages class classes component components
  service services controller controllers model models view views template templates role roles page pages screen screens store
  stores helper helpers middleware route routes router script scripts job jobs worker workers lib library libraries project
  projects app apps crate crates plugin plugins function functions functionality notebook notebooks inventory inventories
  handler handlers hook hooks provider providers repository repositories migration endpoint endpoints entity entities dto dtos
  layer section sections asset assets code source sources implementation fixtures fixture testdata playbook playbooks
  datei dateien ordner modul klasse verzeichnis komponente fichier fichiers dossier classe archivo archivos carpeta fichero
  ficheros cartella arquivo arquivos pasta bestand bestanden map plik pliki pliku plików katalog moduł
  файл файлы файла файле файлов папка папку папки папке модуль класс сервис сервисы контроллер контроллеры 文件 文件夹 目录 模块 组件 ファイル フォルダ モジュール 파일 폴더 모듈`.split(
    /\s+/,
  ),
)

/** Words of a phrase that name nothing. */
const PLAIN = new Set(
  `the a an any all of in on at to from for with by into under inside within outside my our your their its his her this that these those
  there here existing old older new bestehende bestehenden bestehend alte alten existantes existants existant anciennes existentes existente antiguas antiguos antigas antigos esistenti vecchie bestaande oude istniejące stare старые существующие старі existující befintliga whole entire current actual own other others else same rest file files folder folders directory directories
  dir module package library libraries class classes component components widget widgets code source sources stuff thing things one ones itself themselves yourself part parts side layer and or nor
  please but so then just only also aber dabei jedoch auch maar mais aussi pero también ma anche mas também ook ale też но а также either both each every is are was were be been it them they he she you we i me us which where what
  change changes edit edits modification modifications implementation production existing related parent root main such
  datei dateien ordner code die der das den dem des ein eine einen und oder im in an am von zu zum zur bitte alle mein meine
  le la les l un une des du de d au aux et ou dans fichier fichiers dossier el los las una uno y o del al en archivo archivos carpeta
  il lo gli i nei nel nella nello della delle dei degli file cartella e o os as um uma no na nos nas do da dos das arquivo arquivos pasta
  het een de van het map bestand bestanden w na i lub plik pliki pliku plików katalog katalogu folder
  и в на из с к по или файл файлы файла файле файлов папка папку папки папке 文件 文件夹 目录 里 的 中 ファイル フォルダ の 파일 폴더`.split(
    /\s+/,
  ),
)

/** Qualities of a program: to keep one of these is manner, not a place that is closed. */
const QUALITIES = new Set(
  `behavior behaviour behaviors behaviours api apis interface interfaces signature signatures logic semantics functionality output outputs
  format formats name names naming default defaults value values order ordering look feel appearance meaning text wording content
  version versions type types size color colour colors design architecture structure strategy traceability contract contracts
  performance style visible public usage workflow flow process result results state data rules rule feature features theme themes
  mode horizontal vertical anything everything nothing way terminology position animation verhalten ausgabe schnittstelle logik comportement
  comportamiento comportamento gedrag zachowanie поведение логику логика 逻辑 行为 功能 動作 挙動 동작 기능`.split(
    /\s+/,
  ),
)

/** Qualities that are folders too, where they are named as something to stay away from. */
const PLACES = new Set('api apis theme themes data types features rules'.split(' '))

const EVERYTHING =
  /^(?:(?:any|every|some|single|of|the|your|my|our|existing|actual|more|other|at all|in|this|project|repo|repository|code ?base|yourself|here|now|yet)\s+)*(?:anything|everything|nothing|a thing|any ?thing|(?<=any )file|files|it|code ?base|repo(?:sitory)?|project|files? at all|alles|nichts|irgendetwas|irgendwas|nada|tout|rien|niente|tutto|nulla|tudo|niets|iets|nic|niczego|wszystko|ничего|все|всё|нічого)(?:\s+(?:at all|yet|yourself|here|for now|in (?:the|this) (?:repo|project)))*$/i
const CODE =
  /^(?:(?:any|the|our|my|your|existing|actual|more|new|production|implementation|application|source|no|of|at all|further|single|lines?)\s+)*(?:code|sources?|source ?code|source files|code files|code base|implementation)(?:\s+(?:files?|changes?|at all|yet|for (?:it|this|that|now)|here|itself|selbst))*$|^(?:代码|コード|코드|код[аеу]?|código|codice|kod[u]?|code|codigo|quellcode)$/i

/** "Anything in the theme package" is the theme package. */
const ANYTHING_IN =
  /^(?:anything|everything|any(?: of the)? (?:files?|code)|all(?: the)? files|files|stuff|things|something|nothing)\s+(?:in|under|inside|within|from|below|about|to do with|related to|belonging to)\s+/i

/** "The markup in legacy/": the place is what counts. */
const INSIDE = /^(?:[\w-]+\s){1,4}(?:in|under|inside|within|from)\s+(?:the\s)?(?=[@\w.~-]*[/*])/i

const WHEN =
  /(?<!\s)\s+(?:(?:in |for )?this (?:sprint|week|time|release|pr|month|round|task|change|commit)|today|tomorrow|for now|right now|at the moment|any ?more|here|yet|ever|at all|by hand|manually|directly|either|though|tho|itself)\b.*$/i

/** The targets that a phrase names. `strong` phrases close a place whatever it is called; others must mean files. */
export function targetsIn(phrase: string, strong: boolean): Target[] {
  const about = phrase
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
  return [...named, ...(named.length > 0 ? words.filter((target) => target.is === 'words' && target.isFile) : words)]
}

/** "website/src" is a folder, "css/markup" two kinds of files. */
function isFolder(phrase: string): boolean {
  return /^[a-z]+\/[a-z]+$/i.test(phrase) && !phrase.split('/').every((word) => sortOf.has(word.toLowerCase()))
}

/** Paths as people write them. */
export function pathsIn(text: string): string[] {
  const found = [...text.matchAll(PATH)].map(({ 0: said, index }) => ({
    path: said
      .replaceAll('\\', '/')
      .replace(/^@?\/?repo\/|^@|^\.\//, '')
      .replace(/(?<![.,:])[.,:]+$/, ''),
    isPlaced: PLACED.test(text.slice(Math.max(0, index - 20), index)),
  }))
  // "and/or", "css/markup": a slash between bare words parts them.
  const paths = found.filter(({ path, isPlaced }) => isPlaced || !isAlternative(path)).map(({ path }) => path)
  return [...new Set(paths.filter((path) => path.length > 1 && !/^\d+([./]\d+)*$/.test(path)))]
}

const PLACED = /\b(?:in|under|inside|within|outside|below|folder|directory|touch|edit|modify)\s$/i

const FOLDERS =
  /^(?:src|lib|app|apps|test|tests|docs?|packages|cmd|internal|pkg|server|client|web|api|config|scripts?|public|db|components|services|modules|crates|libs|backend|frontend|plugins|features|pages|models|views|controllers|routes|infra|deploy|core|utils|hooks|store|tools|bench|examples|migrations|locales|assets|styles|static|templates|charts|legacy|vendor|proto|schemas|types|resources|spec|include|mobile|ios|android|desktop|cli)\//

function isAlternative(path: string): boolean {
  return /^[a-z]+\/[a-z]+$/i.test(path) && !FOLDERS.test(path)
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

function wordsTarget(said: string, strong: boolean): Target | undefined {
  const phrase = spelledOut(said)
  if (phrase === '') return undefined
  // Whether a file is new cannot be told from its name.
  if (/\bexisting (?:code|files?|sources?)$/i.test(phrase)) return undefined
  if (EVERYTHING.test(phrase)) return { is: 'everything' }
  if (CODE.test(phrase)) return { is: 'code' }
  const all = identifiers(phrase)
  if (all.length > 8) return undefined
  const isCoined = (word: string) => word.length > 2 && (/[a-z][A-Z]|_|\d/.test(word) || /^[A-Z]{3,}$/.test(word))
  const kept = all.filter((word) => !PLAIN.has(word.toLowerCase()))
  if (kept.length === 0 || kept.length > 5) return undefined
  const isQuality = (word: string) =>
    QUALITIES.has(word.toLowerCase()) && !(strong && kept.length === 1 && PLACES.has(word.toLowerCase()))
  if (!CONTAINER.test(phrase) && kept.some(isQuality)) return undefined
  const sorts = kept.filter((word) => sortOf.has(word.toLowerCase())).map((word) => word.toLowerCase())
  const isFile = sorts.length > 0 || all.some((word) => PARTS.has(word.toLowerCase()) || isCoined(word))
  if (!strong && !isFile) return undefined
  const words = kept.flatMap((word) => (sortOf.has(word.toLowerCase()) ? [] : identifierParts(word).map(stem)))
  const isPlace =
    CONTAINER.test(phrase) ||
    /\binventor(?:y|ies)\b/i.test(phrase) ||
    sorts.some((sort) => !SEEN.has(sort)) ||
    (sorts.length > 0 && kept.length === 1)
  return { is: 'words', words, sorts, isFile, isPlace }
}

/** Whether a path is what a target names. */
export function meets(target: Target, path: string): boolean {
  switch (target.is) {
    case 'everything':
      return true
    case 'code':
      return isCode(path) && !sortOf.get('test')!.test(path)
    case 'path':
      return isAt(target.path, path) || liesIn(target.path, path)
    case 'words': {
      if (!target.sorts.every((sort) => sortOf.get(sort)!.test(path) || wordsOf(path).has(stem(sort)))) return false
      const known = wordsOf(path)
      return target.words.every((word) => known.has(word))
    }
  }
}

/** Who removes a folder changes all that lies in it. */
function liesIn(named: string, folder: string): boolean {
  const place = folder.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '')
  return place === '.' || named.startsWith(`${place}/`)
}

function wordsOf(path: string): Set<string> {
  return new Set(identifiers(path).flatMap(identifierParts).map(stem))
}

function isCode(path: string): boolean {
  return (
    !/\.(mdx?|rst|txt|adoc|json|ya?ml|toml|lock|cfg|ini|sum|mod|csv|tex|gitkeep)$|(^|\/)(docs?|\.github|\.cursor)\//i.test(
      path,
    ) && /\.\w+$/.test(path)
  )
}

/** Whether a path is, or lies in, a place. A folder holds all below it, wherever in the project it lies; a bare name is that file anywhere. */
export function isAt(named: string, path: string): boolean {
  const bare = named.replace(/(?<!\/)\/+$/, '')
  const target = `/${path.replace(/^\.?\//, '')}`
  if (bare.includes('*')) return isGlobbed(bare.toLowerCase(), target.slice(1).toLowerCase())
  const sought = `/${bare.toLowerCase()}`
  const within = target.toLowerCase()
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + 1)) {
    const next = within[at + sought.length]
    if (next === undefined || next === '/') return true
    // README for README.md, Dockerfile for Dockerfile.dev
    if (next === '.' && !/\.\w+$/.test(bare) && !bare.includes('/')) return true
  }
  return false
}

/** A glob matches wherever in the project it fits, and what lies below it. */
function isGlobbed(named: string, path: string): boolean {
  // People write stars; the other signs are part of names such as `[id]`.
  const glob = named.replace(/[{}()[\]?\\]/g, '\\$&')
  return boundedGlob(`**/${glob}`)(path) || boundedGlob(`**/${glob}/**/*`)(path)
}
