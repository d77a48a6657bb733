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
    'migration migrations migrationen миграции миграций миграция міграції міграцій міграція 迁移 マイグレーション 마이그레이션 migraciones migrazioni migrações migraties migracje migracji',
    /migrat|(^|\/)alembic\//i,
  ],
  ['schema schemas schéma esquema схема схему схемы схеми 模式 スキーマ 스키마', /schema|\.prisma$|\.graphql$/i],
  ['json', /\.jsonc?$/i],
  ['yaml yml', /\.ya?ml$/i],
  ['xml', /\.xml$/i],
  ['csv', /\.csv$/i],
  ['changelog changelogs', /(^|\/)(changelog|changes|history|news)(\.\w+)?$/i],
  ['proto protos protobuf protobufs', /\.proto$|(^|\/)protos?\//i],
  [
    'model models modelle modellen modèle modèles modelos modelli модели моделей 模型 モデル 모델',
    /(^|[/_.-])models?([/_.-]|$)|[a-z]Models?\.\w+$/i,
  ],
  [
    'controllers controllern contrôleur contrôleurs controlador controladores controllori контроллеры контроллеров 控制器 コントローラー 컨트롤러',
    /(^|[/_.-])controllers?([/_.-]|$)|[a-z]Controllers?\.\w+$/i,
  ],
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
    /^(?!(?:.*\/)?(?:[\w-]{0,40}-)?(?:web|front-?end|client|ui)\/).*?(?:^|\/)(back-?end|[\w-]{0,40}-?server|api)\//i,
  ],
  [
    'locale locales translation translations i18n übersetzungen переводы 翻译 翻訳 번역',
    /(^|\/)(_?locales?|i18n|l10n|lang|translations?|\w+\.lproj)\/|\.(po|arb|xliff?|strings|ftl|resx)$/i,
  ],
  ['helm chart charts', /(^|\/)(helm|charts?)(\/|$)|Chart\.yaml$/i],
  ['header headers', /\.(h|hh|hpp|hxx)$/i],
  [
    'database db datenbank banco база базу базы бд 数据库 データベース 데이터베이스 base',
    /(^|[/._-])(db|database|sql|migrations?)([/._-]|$)|\.sql$|schema/i,
  ],
  ['sql', /\.sql$/i],
  ['notebook notebooks', /\.ipynb$/i],
  ['script scripts skripte скрипты скрипт 脚本 スクリプト 스크립트', /(^|\/)(scripts?|bin)\/|\.(sh|ps1|bat)$/i],
  [
    'deployment deploy deployments infra infrastructure',
    /deploy|(^|\/)(docker|helm|charts|terraform|k8s|kubernetes|infra|ansible|\.github)|\.tf$|Dockerfile|compose\.ya?ml|fly\.toml|Procfile|production|netlify|vercel/i,
  ],
  ['manifest manifests manifiesto manifeste манифест', /manifest|(^|\/)(k8s|kubernetes)\//i],
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
  ['image images picture pictures icon icons bilder', /\.(png|jpe?g|gif|svg|webp|ico)$|(^|\/)(images?|img|icons?)\//i],
  ['scene scenes', /\.(unity|tscn|scene)$|(^|\/)scenes?\//i],
  ['prefab prefabs', /\.prefab$|(^|\/)prefabs?\//i],
  ['font fonts', /\.(woff2?|ttf|otf)$|(^|\/)fonts?\//i],
  ['build', /(^|\/)(build|gradle|cmake|make)|(gradle|make|build|bazel)\b/i],
  ['generated', /generated|\.gen\.|_pb2|\.pb\./i],
]
/** Kinds that are also what people see and speak of: "the ui is frozen", "the header stays". */
export const SEEN = new Set(
  'json yaml yml xml csv model models modelle modellen modèle modèles modelos modelli модели моделей 模型 モデル 모델 css style styles styling markup html template templates view views vue vues vistas vista frontend ui client gui server backend header headers script scripts base build plan golden image images picture pictures icon icons bilder scene scenes font fonts'.split(
    ' ',
  ),
)
export const sortOf = new Map(
  SORTS.flatMap(([names, path]) => names.split(' ').map((name): [string, RegExp] => [name, path])),
)

/** Whether a word stands for a kind of file. */
export function kindNamed(word: string): boolean {
  return sortOf.has(word)
}

/** Whether a word stands for files that people order by their kind: "add a test", "in the install script". */
export function isOrdered(word: string): boolean {
  if (word === 'changelog') return true
  // README is a file of its own, and not all that is written about the project.
  if (word === 'readme') return false
  return sortOf.has(word) && !PROGRAMMING.test(word) && (!SEEN.has(word) || /^scripts?$/.test(word))
}

/** What all of a project may be written in. */
const PROGRAMMING = /^(?:python|rust|golang|java|kotlin|swift|ruby|php|typescript|ts|javascript|js)$/
