import { kindNamed } from './kinds-of-files.ts'

const EXTENSION =
  '(?:[mc]?[jt]sx?|py|go|rs|rb|erb|java|kts?|swift|c|cc|cpp|h|hpp|cs|csproj|php|exs?|heex|dart|vue|svelte|lua|sql|proto|prisma|graphql|mdx?|mdc|rst|txt|tex|json|jsonc|ya?ml|toml|xml|ini|cfg|conf|env|lock|sum|mod|s?css|sass|less|html?|sh|ps1|bat|tf|ipynb|csv|po|arb|gradle|plist|lean|scala|clj|hs|ml|zig|nim|al|astro|frag|vert|glsl|hlsl|wgsl|metal|shader|cmake|bzl|nix|tfvars|hcl|erl|hrl|fsx?|fsproj|vb|pl|pm|jl|mm|groovy|properties|py[ix]|ejs|hbs|pug|liquid|njk|twig|xsd|xaml|resx|storyboard|sol|gd|tscn|prefab|snap|svg|jinja2?|j2|tmpl|tpl|service|rake|podspec|gemspec|cabal|pbxproj|xcodeproj|lproj|strings|xcconfig|entitlements|storekit|overlay|dts|dtsi|kconfig|ino|unity|asset|uxml|bib|sty|cls|jl|R|Rmd|qmd|geojson|journal|parquet|mly|mll|mli|ex|leex|vhd|vhdl|sv|f90|cu|cuh|asm|gql|wsdl|wat|dockerignore|gitignore|editorconfig|ftl|mjml|webmanifest|cshtml|razor|props|targets|sln|nuspec|pyi|pro|qml|ui|res|rc|iml|bazel|star|thrift|avsc|avdl|rego|cue|dhall|pkl|adoc|asciidoc|org|rtf|tsv|png|jpe?g|gif|webp|ico|woff2?|ttf|pdf|docx?|xlsx?)'

export const PATH = new RegExp(
  [
    // A folder, or a path with one; "and/or" is read as two words below.
    String.raw`(?<![\w.@~-])@?(?:[\w.@~-]+[\\/])(?:(?:[\w.@~-]+|\[{1,2}[\w.-]{1,40}\]{1,2}|\([\w-]{1,40}\))[\\/])*[\w.@*[\]-]*`,
    String.raw`(?:\*\*/)?(?:(?<![\w.@-])[\w@-][\w.@-]{0,40})?\*(?:[\w-]{0,40})?(?:\.[\w-]+)+`,
    String.raw`(?<![\w.@[\]-])[\w@[\]-]+(?:\.[\w-]+)*\.${EXTENSION}\b(?!\.\w)`,
    String.raw`(?<![\w.])\.[a-z][\w-]+(?:\.[\w-]+)*(?:\*|\b)`,
    String.raw`\b(?:Dockerfile|Makefile|Jenkinsfile|Procfile|Gemfile|Rakefile|Vagrantfile|Justfile|justfile|CODEOWNERS|LICENSE|README|CHANGELOG|CONTRIBUTING)\b`,
  ].join('|'),
  'g',
)

/** Paths as people write them. */
export function pathsIn(text: string): string[] {
  const found = [...text.matchAll(PATH)].flatMap(({ 0: said, index }) => {
    const path = said
      .replaceAll('\\', '/')
      .replace(/^@?\/?repo\/|^@|^\.\//, '')
      .replace(/(?<![.,:])[.,:]+$/, '')
    // "Only on the branch chore/smoke".
    if (BRANCH.test(text.slice(Math.max(0, index - 12), index))) return []
    // "notes/answer-<date>.md": whatever stands in the place that is left open.
    if (/^<[^<>\n]{1,40}>/.test(text.slice(index + said.length)) && path.includes('/'))
      return [{ path: `${path}*`, isPlaced: true }]
    // "a.in/a.out" are two files.
    const files = SEVERAL.test(path)
      ? path.split('/')
      : [isKind(path, text.slice(0, index), text.slice(index + said.length)) ? `*${path}` : path]
    return files.map((path) => ({
      path,
      isPlaced: PLACED.test(text.slice(Math.max(0, index - 20), index)) || isMarked(text, index, said.length),
    }))
  })
  for (const { groups = {} } of text.matchAll(FOLDER_OF)) {
    const name = groups.before ?? groups.after ?? groups.sign ?? groups.root ?? ''
    const isKind = groups.before !== undefined && kindNamed(name.toLowerCase())
    if (name !== '' && !isKind && !NO_FOLDER.test(name)) found.push({ path: `${name}/`, isPlaced: true })
  }
  // "and/or", "css/markup": a slash between bare words parts them.
  const paths = found.filter(({ path, isPlaced }) => isPlaced || !isAlternative(path)).map(({ path }) => path)
  return [...new Set(paths.filter((path) => path.length > 1 && !/^\d+([./]\d+)*$/.test(path)))]
}

/** "The vendor folder", "в папке docs", "components 目录": a folder that is named without a slash. */
const FOLDER_OF =
  /(?<![\w./-])(?<before>[A-Za-z][\w-]{1,40})[`"']?\s(?:folder|directory)(?!\s(?:structure|tree|listing|traversal))(?![\w-])|(?<!\p{L})(?:папк[еуиа]|каталог[еа]?|dossier|répertoire|carpeta|directorio|cartella|pasta|diretório|katalogu|katalog|ordner|verzeichnis|папці|папку)\s[`"']?(?<after>[A-Za-z][\w-]{1,40})(?![\w./-])|(?<![\w./-])(?<sign>[A-Za-z][\w-]{1,40})[`"']?\s?(?:目录|文件夹|フォルダ|ディレクトリ|폴더|디렉터리|디렉토리|klasör\p{L}{0,8}|dizin\p{L}{0,8})|(?<!\p{L})(?:in|under|inside|within)\s\/(?<root>[a-z][\w-]{2,40})(?![\w/.-])/giu

const NO_FOLDER =
  /^(?:the|this|that|these|same|parent|root|current|new|whole|entire|other|each|every|any|all|source|main|my|our|your|its|an?|existing|old|project|in|of|to|as|is|per|one|no|into|following|working|home|output|target|temp|temporary|empty|separate|dedicated|single|right|wrong|correct|common|top|sub|nested|missing|specific|given|said|different|another|second|first)$/i

/** "The seeds (dbt/seeds)": nothing else stands between the marks. */
function isMarked(text: string, at: number, length: number): boolean {
  return /[(`（]$/.test(text.slice(0, at)) && /^[)`）]/.test(text.slice(at + length))
}

const SEVERAL = /^(?:[A-Za-z]\w{0,30}\.[a-z]{1,5})(?:\/[A-Za-z]\w{0,30}\.[a-z]{1,5}){1,3}$/

const BRANCH =
  /(?<!\p{L})(?:branch|branche|rama|ramo|zweig|tak|gałęzi|ветк\p{L}{1,3}|гілк\p{L}{1,3}|分支|ブランチ|브랜치)[\s:：]{0,2}[`"']?$/iu

const EXTENSION_ALONE = new RegExp(`^\\.${EXTENSION}$`)

/** "Any .go file" and "the scenes (.tscn)" are kinds of files, ".env" a file. */
function isKind(path: string, before: string, after: string): boolean {
  const isAside = /\p{L}\s?\($/u.test(before) && after.startsWith(')')
  if (isAside && /^\.(?!env|\w*ignore$|\w*rc$|editorconfig)[a-z]\w{0,7}$/.test(path)) return true
  return (
    EXTENSION_ALONE.test(path) &&
    /^\s(?:files?|dateien|fichiers|archivos|file|arquivos|bestanden|файл\p{L}*|文件|ファイル)/iu.test(after)
  )
}

const PLACED =
  /(?<!\p{L})(?:only|nur|uniquement|seulement|solo|sólo|apenas|somente|alleen|tylko|только|till|til|to|in|near|into|under|inside|within|outside|below|folder|directory|touch|edit|modify|im|unter|ordner|verzeichnis|dans|sous|dossier|en|bajo|carpeta|nel|nella|sotto|cartella|em|no|na|sob|pasta|onder|map|w|pod|katalogu|в|во|из|под|папк[еуи]|у|з|під)\s$/iu

const FOLDERS =
  /^(?:src|lib|app|apps|test|tests|docs?|packages|cmd|internal|pkg|server|client|web|api|config|scripts?|public|db|components|services|modules|crates|libs|backend|frontend|plugins|features|pages|models|views|controllers|routes|infra|deploy|core|utils|hooks|store|tools|bench|examples|migrations|locales|assets|styles|static|templates|charts|legacy|vendor|proto|schemas|types|resources|spec|include|mobile|ios|android|desktop|cli|envs?|environments|roles|inventory|group_vars|host_vars|deployments|terraform|k8s|helm|dags|notebooks|scenes|Assets|chapters|content|lang|themes|fixtures|jobs|workers?|admin|docker|nginx|ops|ci|build|gradle|shared|common|data|pipelines|functions|lambdas|contracts|gateway|domain)\//

function isAlternative(path: string): boolean {
  return (
    (/^[a-z]+\/[a-z]+$/i.test(path) || /^[A-Z]{2,12}(?:\/[A-Z]{2,12})+$/.test(path)) &&
    !FOLDERS.test(path) &&
    !/\/(?:Docker|Make|Jenkins|Proc|Gem|Rake|Just|Fast|Pod)file$/.test(path)
  )
}
