import type { Call, Effect } from '../call.ts'
import { asText } from '../expand.ts'
import { readOptions } from '../options.ts'
import { glob, known, mapText, type Output } from '../values.ts'
import { landings } from './files.ts'

/** Commands that change no file of the project, whatever their arguments are. */
const QUIET =
  '[ [[ : ack apropos arch b2sum base32 bat batcat bc bg bind break caller cal cksum clear cloc cmp col ' +
  'column comm compgen complete continue cut delta df diff diff3 dig dircolors dirs disown du eza exa exit expand ' +
  'expr factor false fc fg fgrep file fmt fold free fzf getconf getent getopts glow groups hash head help hexdump ' +
  'host htop ifconfig iostat jobs join jq kill killall last less let locale locate logname look ' +
  'lsb_release lscpu lsof man md5 md5sum more netstat nl nm nslookup objdump od paste pgrep ping ping6 pkill printenv ' +
  'ps pstree readelf return route sar set sha1sum sha256sum sha512sum shasum shopt shellcheck sleep ss stat ' +
  'strings stty sum suspend sync tac tail tcpdump test tokei top tput tr trap tree true tsort tty type ulimit umask ' +
  'unalias unexpand uptime users vmstat w wait whatis whereis which who yes zcat zgrep zless bzcat xzcat ' +
  'hadolint actionlint yamllint jsonlint mypy pyright flake8 pylint staticcheck golint tflint ' +
  'pbcopy pbpaste xclip ssh traceroute telnet nc ncat redis-cli'

/** These print something that differs from run to run but holds no slash. */
const PLAIN_OUTPUT = 'date hostname id nproc uname uuidgen wc whoami'

/** Tools that touch no file of the project with these verbs. */
const QUIET_VERBS: Record<string, string> = {
  kubectl:
    'annotate api-resources apply auth cluster-info config create delete describe diff exec explain get label logs patch port-forward rollout scale set top version wait',
  brew: 'config deps doctor info leaves list outdated search',
  helm: 'get history lint list search show status template version',
  crontab: '-l',
}

/** Commands that only look. */
export const readers: Record<string, Effect> = {
  ...Object.fromEntries(QUIET.split(' ').map((name) => [name, looks])),
  ...Object.fromEntries(PLAIN_OUTPUT.split(' ').map((name) => [name, printsPlain])),
  ...Object.fromEntries(
    Object.entries(QUIET_VERBS).map(([name, verbs]) => [name, quietWith(new Set(verbs.split(' ')))]),
  ),
  gh,
  docker,
  base64: (call) => {
    const isBack = call.args.some(({ text }) => /^(?:-d|-D|--decode)$/.test(text))
    const text = asText(call.stdin)
    return isBack && text !== undefined && BASE64.test(text) ? [known(atob(text).replace(/\n$/, ''))] : undefined
  },
  rev: (call) => call.stdin?.map((line) => mapText(line, (text) => [...text].reverse().join(''))),
  open: opens,
  'xdg-open': opens,
  history: (call) => {
    const options = readOptions(call.args)
    if (options.has('w', 'a')) call.write(options.operands[0], 'modify')
  },
  mongosh: (call) => {
    const options = readOptions(call.args, { values: 'eval f file host port u p username password' })
    const said = options.all('eval').map(({ text }) => text)
    const isScript = options.has('f', 'file') || options.operands.some(({ text }) => /\.m?js$/.test(text))
    if (isScript || said.some((text) => /\b(?:require|fs|load|import|process|spawn|exec)\b/.test(text)))
      call.undecided('mongosh: runs a script')
  },
  aws: (call) => {
    const options = readOptions(call.args, { values: 'function-name payload region profile cli-binary-format' })
    const [service, verb, output] = options.operands
    if (service?.text === 'lambda' && verb?.text === 'invoke') return call.write(output, 'create')
    return quietAws(call)
  },
}

const BASE64 = /^[A-Za-z0-9+/]{1,8000}={0,2}$/

const quietAws = quietWith(new Set('cloudformation dynamodb ec2 ecs eks iam lambda logs sns sqs sts'.split(' ')))

/** A page is shown; a file of the project may be a program. */
function opens(call: Call): Output {
  const isPage = call.args.every(({ text }) => /^https?:|\.(?:html?|pdf|png|jpe?g|svg|gif)$/i.test(text))
  return isPage ? undefined : call.undecided(`${call.name}: may start a program`)
}

const quietDocker = quietWith(
  new Set(
    'context diff events history images info inspect kill login logs network port ps pull push restart rm rmi search start stats stop system tag top version volume'.split(
      ' ',
    ),
  ),
)
const QUIET_COMPOSE = new Set('config events images logs ls port ps pull push top version'.split(' '))

/** A container may write what is mounted into it; most verbs start none. */
function docker(call: Call): Output {
  const [verb, ...args] = call.args
  if (verb?.text === 'compose') {
    const { operands } = readOptions(args, { values: 'f file p project-name profile env-file', stopAtOperand: true })
    if (QUIET_COMPOSE.has(operands[0]?.text ?? '')) {
      call.write(readOptions(operands, { values: 'o output' }).get('o', 'output'), 'create')
      return undefined
    }
  }
  if (verb?.text === 'context' && args[0]?.text === 'export') {
    call.write(args[2] ?? (args[1] && known(`${args[1].text}.dockercontext`)), 'create')
    return undefined
  }
  if (verb?.text !== 'cp') return quietDocker(call)
  const [source, target] = readOptions(args).operands
  if (source && target && !/^[^/]+:/.test(target.text)) {
    const from = known(source.text.replace(/^[^:]*:/, ''))
    for (const path of landings(call, [from], target)) call.write(path, 'create', { tree: true })
  }
  return undefined
}

const GH_READS = new Set(
  'alias api auth browse cache config gist issue label org pr project release repo ruleset run search secret status variable workflow'.split(
    ' ',
  ),
)

/** Nearly all of it is about the server; a few verbs bring files. */
function gh(call: Call): Output {
  const options = readOptions(call.args, { values: 'R repo D dir O output p pattern n name b branch' })
  const [noun, verb, what, folder] = options.operands.map(({ text }) => text)
  if (verb === 'clone') {
    const name = folder ?? what?.split('/').at(-1)
    return name === undefined ? undefined : call.write(known(name), 'create', { tree: true })
  }
  if (verb === 'download') {
    const file = options.get('O', 'output')
    if (file) return call.write(file, 'create')
    return call.write(options.get('D', 'dir') ?? known('.'), 'create', { tree: true, maybe: true })
  }
  const isHere = verb === 'checkout' || (noun === 'repo' && /^(create|fork|sync)$/.test(verb ?? ''))
  if (noun === undefined || (GH_READS.has(noun) && !isHere)) return undefined
  return call.undecided(`gh ${noun} ${verb ?? ''}: may change files here`)
}

/** Filters that pass on some of the lines they are given. */
const PASS_LINES = new Set(['head', 'tail', 'tac'])

function looks(call: Call): Output {
  return PASS_LINES.has(call.name) ? call.stdin : undefined
}

function printsPlain(call: Call): Output {
  return call.args.some((arg) => arg.text.includes('/')) ? undefined : [glob('*')]
}

function quietWith(verbs: Set<string>): Effect {
  return (call) => {
    const verb = call.args[0]?.text ?? ''
    return verbs.has(verb) ? undefined : call.undecided(`${call.name} ${verb}: runs a program of its own`)
  }
}
