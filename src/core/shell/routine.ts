import type { Value } from './values.ts'

/**
 * Tests, builds, linters and installs: programs that an agent runs all day, and whose writes are what the project
 * ignores. They run without an intent; what they change all the same shows when the tree is compared.
 */

/** Every use of them is routine. */
const TOOLS = words(
  'pytest py.test tox nox unittest coverage pre-commit rspec cucumber minitest phpunit phpstan psalm pest phpcs behat ' +
    'jest vitest mocha ava tap karma cypress playwright wdio jasmine c8 nyc tsd size-limit knip depcheck madge tsc tsup ' +
    'vite webpack rollup parcel esbuild swc babel next nuxt astro gatsby storybook remix svelte-check vue-tsc ng turbo nx ' +
    'lerna lint-staged golangci-lint gotestsum ginkgo staticcheck cargo-nextest gradle gradlew mvn mvnw sbt lein clj ' +
    'mill kotlinc scalac javac rustc ctest ninja meson bazel bazelisk buck2 pants please xcodebuild flutter dart pub ' +
    'xcrun stack cabal hlint elm rebar3 gleam zig nim crystal dune opam detekt ktlint swiftlint mypy pyright basedpyright ' +
    'pyre pytype bandit safety pip-audit vulture pydocstyle pylint flake8 ruff checkov semgrep trivy grype hadolint shellcheck ' +
    'bats shellspec ansible-lint cppcheck clang-tidy valgrind gcovr lcov mkdocs sphinx-build hugo jekyll cmake cpack configure ' +
    'corepack nvm fnm volta asdf mise rbenv pyenv direnv sdk conda mamba micromamba wasm-pack trunk protolint buf sqlfluff ' +
    'prove busted luacheck vale typos lefthook standardrb brakeman govulncheck scala-cli ant msbuild pipdeptree prisma cdk ' +
    'numfmt lsblk journalctl systemctl dpkg apt gem ssh-add earthly license-checker npm-check-updates ncu nuxi nuxt graphql-codegen typedoc publint attw tslint standard xo oxlint stylelint markdownlint htmlhint cspell commitlint',
)

const CLOUD = words(
  'aws az gcloud gsutil bq doctl kubectl oc helm gh glab heroku fly flyctl vercel netlify firebase wrangler supabase pulumi psql mysql mongosh redis-cli',
)

/** Routine with these verbs; the first word that is no option decides. */
const VERBS: Record<string, Set<string>> = {
  npm: words(
    'test t tst run run-script rum urn ci clean-install install i in ins add install-test it install-ci-test rebuild prune dedupe start stop restart audit exec x outdated',
  ),
  pnpm: words(
    'test t run install i ci fetch rebuild prune dedupe start exec build lint check typecheck format format:check dev',
  ),
  yarn: words('test run install workspace workspaces start build lint check typecheck dedupe dev exec node'),
  bun: words('test run install build start x ci'),
  deno: words('test check lint fmt task bench run cache info compile doc coverage install'),
  node: words('--test --run --check'),
  go: words('test build vet run tool install mod list generate work get clean fmt bench'),
  cargo: words(
    'test build check clippy bench doc run nextest audit deny fetch vendor install clean miri llvm-cov tarpaulin expand hack machete udeps outdated fmt b t c r locate-project tree metadata',
  ),
  uv: words('sync run pip lock tool venv build'),
  poetry: words('install run build check sync'),
  pdm: words('install run sync build'),
  hatch: words('run test build fmt env shell'),
  pipenv: words('install sync run check'),
  pip: words('install download wheel check'),
  pip3: words('install download wheel check'),
  bundle: words('install check exec'),
  composer: words('install test run run-script check validate dump-autoload audit exec lint analyse stan'),
  dotnet: words('test build restore run format clean msbuild vstest tool watch pack list'),
  swift: words('build test run package'),
  mix: words(
    'test deps.get deps.compile compile format credo dialyzer check lint coveralls ecto.setup phx.routes phx.server xref',
  ),
  docker: words('build run buildx compose create start stop exec'),
  podman: words('build run compose create start stop exec'),
  nerdctl: words('build run compose'),
  terraform: words('init plan validate fmt get'),
  tofu: words('init plan validate fmt get'),
  helm: words('lint template dependency test'),
  'docker-compose': words('build up down run exec start stop restart logs ps pull'),
  rails: words('test routes test:all test:system spec about stats zeitwerk:check runner console server'),
  artisan: words('test route:list about config:show'),
}

/** What a task, a script or a target is called when it only makes or checks things. */
const ROUTINE_NAME =
  /^(?:(?:pre|post)?(?:all|test|tests|spec|specs|check|checks|lint|linter|build|compile|verify|validate|typecheck|types?|ci|coverage|bench|benchmark|e2e|unit|integration|smoke|dev|serve|server|start|watch|clean|doc|docs|assemble|bundle|package|install|deps|setup|bootstrap|prepare|format-check|fmt-check|audit|analy[sz]e|storybook|preview|debug|release-dry-run|help|print|show|list|info|version))[\w-]*(?:[:.][\w-]+)*$/i

/** Whether the command is routine: a program whose writes cannot be known beforehand, but that people run without a second thought. */
export function isRoutine(name: string, args: readonly Value[]): boolean {
  const base = name.replace(/^.*\//, '')
  const texts = args.map(({ text }) => text)
  if (asksOnly(base, texts)) return true
  if (
    base === 'make' ||
    base === 'gmake' ||
    base === 'just' ||
    base === 'task' ||
    base === 'rake' ||
    base === 'invoke'
  ) {
    const targets = plain(texts.filter((_, at) => !/^-[CfjIo]$/.test(texts[at - 1] ?? '')))
    return targets.every((text) => ROUTINE_NAME.test(text) || text.includes('='))
  }
  if (/^(?:python[\d.]*|py)$/.test(base)) return isRoutinePython(args)
  if (base === 'Rscript' || base === 'R') return texts.some((text) => R_CHECKS.test(text))
  if (base === 'php') return isRoutineScript(texts, args)
  if (base === 'java') return texts.includes('-jar') || texts.includes('-version')
  // Only the syntax is checked.
  if ((base === 'ruby' || base === 'perl') && texts.some((text) => /^-w?c$/.test(text))) return true
  if (base === 'ruby' || base === 'perl')
    return plain(texts).some((text) => /(?:_test|_spec)\.rb$|\.t$|(?:^|\/)test\//.test(text))
  // What they do out there is judged by `outward.ts`; here they write nothing.
  if (TOOLS.has(base) || CLOUD.has(base)) return scaffolded(base, args) === undefined
  const verbs = Object.hasOwn(VERBS, base) ? VERBS[base]! : undefined
  if (verbs) return isRoutineVerb(base, verbs, texts)
  return isOwnCheck(name)
}

/** Code that does nothing but call one of the usual packages that test and check. */
const R_CHECKS =
  /^\s*(?:testthat|devtools|lintr|covr|rcmdcheck|tinytest|RUnit|goodpractice)::(?:test|check|lint|run_test|package_coverage|rcmdcheck|gp)\w*\([^;{}\n]*\)\s*$/

/** Their `init` prepares the machine, the shell or what a project ignores. */
const INITS_ELSEWHERE = words(
  'terraform tofu terragrunt packer tflint conda mamba micromamba pyenv rbenv nodenv jenv goenv starship zoxide atuin mise asdf direnv opam oh-my-posh helm docker podman nerdctl kubectl minikube kind pulumi gcloud rustup ccache zk pass chezmoi',
)
const SHELL_NAME = /^(?:-|\w*sh|powershell|pwsh|nu|elvish|cmd)$/

/**
 * What a command that sets something up makes: `gleam new lantern`, `elm init`, `flutter create app`. The last word is the folder
 * that comes to be; without one it is the folder where it is started.
 */
export function scaffolded(base: string, args: readonly Value[]): Value | '.' | undefined {
  if (INITS_ELSEWHERE.has(base) || CLOUD.has(base)) return undefined
  const given = args.filter(({ text }) => !text.startsWith('-'))
  if (/^create-[a-z][\w-]*$|^(?:cookiecutter|copier|degit|tiged|sphinx-quickstart|yo)$/.test(base))
    return args.some(({ text }) => ASKS.test(text)) ? undefined : base === 'cookiecutter' ? '.' : (given.at(-1) ?? '.')
  const [verb, ...names] = base === 'swift' && given[0]?.text === 'package' ? given.slice(1) : given
  const isNew =
    /^(?:new|init|startproject|startapp)$/.test(verb?.text ?? '') ||
    (verb?.text === 'create' && MAKES_PROJECTS.has(base))
  if (!isNew || args.some(({ text }) => ASKS.test(text)) || names.some(({ text }) => SHELL_NAME.test(text)))
    return undefined
  return names.at(-1) ?? '.'
}

const MAKES_PROJECTS = words('flutter dart nuxi astro ng expo tauri cordova ionic capacitor kustomize')

const WRITING_OPTION =
  /^--?(?:fix|write|in-?place|inplace|apply|overwrite|save|update|upgrade|init|generate|auto-?correct\S*|auto-?fix|replace|rewrite|patch|modify|edit)(?:=|$)/
const WRITING_VERB =
  /^(?:add|apply|create|delete|edit|fix|format|fmt|gen|generate|init|migrate|new|patch|remove|rm|rename|replace|rewrite|scaffold|set|update|upgrade|write|codemod|import|convert|extract|unpack|bump|make:\w+|g)$/

/** Whether the arguments of an unknown program name a change (`delete`, `apply`, `--write` …). */
export function isToldToWrite(args: readonly Value[]): boolean {
  const texts = args.map(({ text }) => text)
  if (texts.some((text) => ASKS.test(text))) return false
  const verbs = plain(texts).slice(0, 2)
  return texts.some((text) => WRITING_OPTION.test(text)) || verbs.some((verb) => WRITING_VERB.test(verb))
}

/** Code can be handed to them, so no word among their arguments says that they only look. */
const RUNS_CODE =
  /^(?:python[\d.]*|py|node|deno|bun|ruby|perl|php|lua\w*|tclsh|Rscript|R|julia|java|jshell|groovy|scala|elixir|iex|osascript|pwsh|expect|gdb|\w*sh|x?args|env|find|awk|gawk|mawk|sed|ex|vim?|nvim|ed|emacs|sqlite3)$/
const ASKS = /^(?:--help|--version|--dry-?run|--check|--list|--diff|--no-?changes|--verify(?:-no-changes)?)$/
const ASKING_VERB =
  /^(?:status|list|ls|info|show|version|help|doctor|log|logs|current|history|describe|diff|validate|lint|test)$/

/** `… --dry-run`, `… --check`, `<tool> status`: whatever the program is, it is asked and not told to do anything. */
function asksOnly(base: string, texts: readonly string[]): boolean {
  if (RUNS_CODE.test(base)) return false
  const [verb = ''] = plain(texts)
  return texts.some((text) => ASKS.test(text)) || ASKING_VERB.test(verb)
}

function isRoutineVerb(base: string, verbs: Set<string>, texts: string[]): boolean {
  const given = plain(texts)
  if (given.length === 0) return base === 'node' ? texts.some((text) => verbs.has(text)) : true
  if (base === 'node') return texts.some((text) => verbs.has(text))
  // `pnpm --filter web build`: a name may stand before the verb.
  if (given.slice(0, 3).some((text) => verbs.has(text) || ROUTINE_NAME.test(text) || TOOLS.has(text))) return true
  return !RUNS_SCRIPTS.has(base) && !given.slice(0, 3).some(isWritingWord)
}

/** Every word that they do not know is the name of a script. */
const RUNS_SCRIPTS = words('yarn pnpm bun node deno npm rails artisan')

/** `ecto.gen.migration`, `make:model`, `add-package`. */
function isWritingWord(text: string): boolean {
  return (
    text.split(/[.:-]/).some((part) => WRITING_VERB.test(part)) || /^(?:make|destroy|bump|link|unlink)\b/.test(text)
  )
}

function isRoutinePython(args: readonly Value[]): boolean {
  const texts = args.map(({ text }) => text)
  const at = texts.indexOf('-m')
  if (at >= 0) {
    const module = texts[at + 1] ?? ''
    return (
      /^(?:pytest|unittest|doctest|compileall|build|pip|venv|tox|nox|coverage|timeit|cProfile|http\.server)$/.test(
        module,
      ) || isRoutine(module, args.slice(at + 2))
    )
  }
  return isRoutineScript(texts, args)
}

/** `manage.py test`, `php artisan test`, `python tests/run.py`. */
function isRoutineScript(texts: string[], args: readonly Value[]): boolean {
  const [script = '', verb = ''] = plain(texts)
  if (/(?:^|\/)(?:manage\.py|artisan|console)$/.test(script))
    return /^(?:test|check|routes?|shell|show|about|runserver|serve|debug:|lint:|route:|config:show|collectstatic$|list$|help$|diffsettings|sqlmigrate|inspectdb|findstatic|dumpdata$|tinker$|[\w:-]+:(?:list|show|status|check|info|validate|version|failed|monitor|diff)$)/.test(
      verb,
    )
  return script !== '' && (isOwnCheck(`./${script}`) || isRoutine(script, args.slice(texts.indexOf(script) + 1)))
}

/** A program of the project that says of itself that it tests, builds or checks. */
function isOwnCheck(name: string): boolean {
  if (!name.includes('/')) return false
  return ROUTINE_NAME.test(name.replace(/^.*\//, '').replace(/\.\w+$/, ''))
}

const INSTALLS = words('npm pnpm yarn bun cargo uv pip pip3 poetry pdm composer bundle go dotnet mix')

/** Whether a package manager is only asked what it would do. */
export function isTrial(base: string, args: readonly Value[]): boolean {
  return INSTALLS.has(base) && args.some(({ text }) => /^--(?:dry-?run|check)$/.test(text))
}

function plain(texts: readonly string[]): string[] {
  return texts.filter((text) => !/^[-+]/.test(text) && !/^\w+=/.test(text))
}

function words(text: string): Set<string> {
  return new Set(text.split(' '))
}
