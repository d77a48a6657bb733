import { checkEnded } from '#core/intent/denial.ts'
import { refusalText } from '#protocol/refusal.ts'
import { singleQuoted } from '#protocol/shell-word.ts'

/** Paths that are written into the script when it is installed; without them it looks for everything itself, as in the plugin. */
export interface ClientPlaces {
  home: string
  socket: string
  /** The Node that Grove runs on. */
  node: string
  /** `hook.cjs` of this installation. */
  client: string
  /** The address that the client's settings were pointed at, and the one that stands behind it. */
  proxy?: { url: string; direct: string }
}

/** In seconds. A daemon that works again is asked again after so long. */
const SILENT_FOR = 30

/** In seconds. A daemon that does not say that it is there for so long is not well: its event loop stands still. */
const LOOK = 1.2

/** In seconds; generous, because an overloaded machine answers slowly. */
const LOOK_WHEN_BUSY = 5

/**
 * The hook client that needs no Node: a shell script that hands the event to the daemon with `curl`, at a fifth of what
 * starting Node costs. When there is no `curl`, no daemon answers or the answer is odd, Node takes over with the same
 * input. It ends with 0 whatever happens, because 2 would stop the agent. It outlives Grove: when the package was removed,
 * it says so once and takes Grove out of the settings.
 *
 * Before a tool it is two shells, because a client goes on when the hook that it waits for is ended: when one of them is
 * killed while a person is asked, the other still answers, and what answers for a killed one says no.
 */
export function clientScript(places?: ClientPlaces): string {
  return `#!/bin/sh
# Grove's hook client. \`grove init\` writes it; what you change here is lost with the next one.
${places ? installed(places) : searching}
event=\${1:-unknown}
payload=
no='${deniedWhenEnded()}'

# To the shell that waits for it; when that one was ended, to the client itself.
tell() {
  [ "$event" = pre-tool-use ] || {
    printf '%s\\n' "$1"
    return
  }
  trap '' PIPE
  { printf '%s\\n' "$1"; } 2>/dev/null || printf '%s\\n' "$1" >&3
}

# What the daemon's processes are at: T when stopped, R when they compute or want to.
states() {
  states=
  for holder in "$GROVE_HOME/run/proxy.json" "$GROVE_HOME/run/web.json"; do
    [ -r "$holder" ] && { read -r held || [ "$held" ]; } <"$holder" || continue
    pid=\${held#*'"pid":'}
    pid=\${pid%%[!0-9]*}
    [ "$pid" ] && [ -r "/proc/$pid/stat" ] || continue
    # Behind the name in brackets, which may hold spaces.
    read -r stat <"/proc/$pid/stat" && stat=\${stat##*') '} && states=$states\${stat%% *}
  done
}

# A stopped process does not answer, and what was silent a moment ago is not waited for again.
silent=$GROVE_HOME/run/silent
down() {
  states
  case $states in *T*) return 0 ;; esac
  [ -r "$silent" ] && read -r since <"$silent" && [ $(($(date +%s) - since)) -lt ${SILENT_FOR} ]
}

# Where more programs want to run than there are processors, one that wants to is asked once more.
busy() {
  states
  case $states in *R*) ;; *) return 1 ;; esac
  read -r load _ </proc/loadavg && [ "\${load%%.*}" -ge "$(getconf _NPROCESSORS_ONLN)" ]
}

# Whether intents may be in force where the agent works; a work tree beside the first one shares those of that one.
guarded() {
  for at in "$PWD" "$CLAUDE_PROJECT_DIR"; do
    while [ "\${at#/}" != "$at" ]; do
      [ -d "$at/.orchestration" ] || [ -f "$at/.git" ] && return 0
      at=\${at%/*}
    done
  done
  return 1
}

ask() {
# Tells the user at the start of a session what is off; the other events go by in silence.
say() {
  [ "$payload" ] || cat >/dev/null
  [ "$event" = session-start ] && printf '{"systemMessage":"%s"}\\n' "$1"
  ${places ? holdingBack : ''}exit 0
}
${places ? pointingPast : ''}
${places ? whenThroughAnother : ''}# -O: a socket that belongs to another user is not Grove's. A daemon that says nothing is not well.
GROVE_DAEMON=
how=ask
if [ -S "$socket" ] && down; then
  GROVE_DAEMON=silent
  how=alone
elif [ -S "$socket" ] && [ -O "$socket" ] && [ -O "\${socket%/*}" ] && command -v curl >/dev/null 2>&1; then
  payload=$(cat)
  looks='${LOOK} ${LOOK_WHEN_BUSY}' most=600
  [ "$event" = session-end ] && looks=0.4 most=0.8
  # Ended with this shell: the daemon's signs of life then meet a closed pipe, and it learns that the client is gone.
  live=
  [ "$event" = permission-request ] && live=--no-buffer
  for look in $looks; do
    # Asks first, over the same connection, whether the daemon lives: one that does may take its time for the answer.
    if answer=$(
      curl -q --silent --fail --fail-early --noproxy '*' --unix-socket "$socket" --max-time "$look" "http://grove/alive" \\
        --next $live --silent --fail --noproxy '*' --unix-socket "$socket" --max-time "$most" \\
        --speed-limit 1 --speed-time 2 --header 'Content-Type: application/json' --header 'Expect:' \\
        --data-binary @- "http://grove/hooks/$event" 2>/dev/null 3>&- <<PAYLOAD
$payload
PAYLOAD
    ); then
      tell "$answer"
      exit 0
    elif [ $? = 28 ]; then
      GROVE_DAEMON=silent
      busy || break
    else
      GROVE_DAEMON=
      break
    fi
  done
  [ "$GROVE_DAEMON" ] && [ "$event" != session-end ] && { date +%s >"$silent"; } 2>/dev/null
fi

[ -x "$node" ] || node=$(command -v node) || {
  ${places ? 'past\n  ' : ''}say 'Grove cannot run, because its Node is gone; Claude Code goes on without it. Install Node, then run: grove init'
}
${places ? whenRemoved : '[ -r "$client" ] || exec cat >/dev/null'}
# Node reads these certificates whenever it starts, which takes longer than the start. Embeddings alone need them; what
# the hook starts gets them back.
if [ "$NODE_EXTRA_CA_CERTS" ] && [ -z "$GROVE_EMBEDDINGS_URL" ] &&
  { [ ! -e "$GROVE_HOME/config.toml" ] || ! grep -q embeddings "$GROVE_HOME/config.toml"; }; then
  export GROVE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"
  unset NODE_EXTRA_CA_CERTS
fi
export GROVE_HOME GROVE_DAEMON
# A call that keeps Node computing is given up; waiting for a person takes no processor time.
[ "$event" = pre-tool-use ] && began=$(date +%s) && ulimit -c 0 2>/dev/null && ulimit -S -t ${COMPUTES_WITHIN} 2>/dev/null
# Without a payload standard input was not read yet: Node reads it itself.
if [ "$payload" ]; then
  answer=$("$node" "$client" hook "$event" alone 3>&- <<PAYLOAD
$payload
PAYLOAD
  )
else
  answer=$("$node" "$client" hook "$event" "$how" 3>&-)
fi
status=$?
[ $status = 0 ] && {
  tell "$answer"
  exit 0
}
# Ended for computing too long; or killed, and later than it takes to decide: a person was being asked.
case $event:$status in
pre-tool-use:152)
  guarded && tell "$no"
  exit 0
  ;;
pre-tool-use:137 | pre-tool-use:143) [ $(($(date +%s) - began)) -lt ${DECIDES_WITHIN} ] || {
  tell "$no"
  exit 0
} ;;
esac
${places ? 'past\n' : ''}payload=read
[ "$NODE_OPTIONS" ] && ! "$node" -e 0 </dev/null >/dev/null 2>&1 &&
  say 'Grove does not start: Node refuses to run with your NODE_OPTIONS; Claude Code goes on without Grove. Correct that variable, or unset it'
say 'Grove does not start: its files are damaged; Claude Code goes on without it. Install it again: npm install -g grovekeeper'
}

if [ "$event" = pre-tool-use ]; then
  exec 3>&1
  if said=$(ask); then [ "$said" ] && printf '%s\\n' "$said"; else printf '%s\\n' "$no"; fi
  exit 0
fi
ask
`
}

/** Blocks the prompt of a client that still goes to the proxy: it would fail, or reach another program on the proxy's port. */
const holdingBack = `[ "$event:$proxy" = "user-prompt-submit:\${ANTHROPIC_BASE_URL:-none}" ] &&
    printf '{"decision":"block","reason":"%s. %s"}\\n' "$1" 'This Claude Code still goes to the proxy, so nothing was sent. Say it again; if you read this again, restart Claude Code: claude --continue'
  `

/** In seconds. A Node that was ended earlier than this was not waiting for a person. */
const DECIDES_WITHIN = 3

/** In seconds of processor time, for one call; a decision takes a tenth of one. */
const COMPUTES_WITHIN = 20

/** What the client hears when the hook was ended before it could answer. */
function deniedWhenEnded(): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: refusalText(checkEnded()),
    },
  }).replaceAll("'", '')
}

/**
 * Settings that point at the proxy while nothing of Grove can run lead nowhere, or to a stranger. Without Node only this
 * much can be done about it: our own address, as we wrote it, is replaced by the one it stands for.
 */
const pointingPast = `
past() {
  [ "$proxy" ] && [ "$ANTHROPIC_BASE_URL" = "$proxy" ] || return 0
  for record in "$GROVE_HOME"/attached/*.json; do
    settings=$(sed -n 's/^  "settings": "\\(.*\\)",$/\\1/p' "$record" 2>/dev/null)
    [ -w "$settings" ] && [ ! -L "$settings" ] || continue
    # Beside it first: on a full disk the settings must stay as they are.
    draft=$settings.grove-$$
    cp -p "$settings" "$draft" 2>/dev/null &&
      sed "s|\\(\\"ANTHROPIC_BASE_URL\\"[ ]*:[ ]*\\)\\"$proxy\\"|\\1\\"$direct\\"|" "$settings" >"$draft" 2>/dev/null &&
      mv -f "$draft" "$settings" || rm -f "$draft"
  done
  # The client looks at its settings now and then, and waits for this hook before its first request.
  [ "$event" = session-start ] && { sleep 1.5 2>/dev/null || sleep 2; }
}
`

/**
 * A client sends everything through the proxy of a company that these variables name, unless NO_PROXY leaves this machine
 * out: prompt and key would go there. `grove init --proxy` sees to it where they are set; they may have been set since.
 */
const whenThroughAnother = `case $event in
session-start | user-prompt-submit)
  if [ "$proxy" ] && [ "$ANTHROPIC_BASE_URL" = "$proxy" ] &&
    [ "$HTTPS_PROXY$https_proxy$HTTP_PROXY$http_proxy$ALL_PROXY$all_proxy" ]; then
    host=\${proxy#*://}
    host=\${host%%/*}
    case ",$(printf %s "\${no_proxy:-$NO_PROXY}" | tr -d ' ')," in
    *",\${host%:*},"* | *",$host,"* | *',*,'*) ;;
    *)
      past
      say "HTTPS_PROXY would be sent what is meant for Grove, so Claude Code goes straight to the API. Run again where it is set: grove init --proxy"
      ;;
    esac
  fi
  ;;
esac
`

/** npm keeps the old package beside the new one, under a name with a dot, while it replaces it. */
const whenRemoved = `if [ ! -r "$client" ]; then
  package=\${client%/*/*}
  removed=yes
  for kept in "$package/package.json" "\${package%/*}/.\${package##*/}"-*; do [ -e "$kept" ] && removed=; done
  if [ "$removed" ] && [ "$event" = session-start ] && [ -r "$GROVE_HOME/bin/grove-detach.cjs" ]; then
    [ "$payload" ] || cat >/dev/null
    payload=read
    GROVE_HOME="$GROVE_HOME" "$node" "$GROVE_HOME/bin/grove-detach.cjs" hook 2>/dev/null && exit 0
  fi
  past
  say 'Grove is not where it was installed; Claude Code goes on without it. Install it again: npm install -g grovekeeper'
fi`

function installed({ home, socket, node, client, proxy }: ClientPlaces): string {
  return [
    `GROVE_HOME=${singleQuoted(home)}`,
    `socket=${singleQuoted(socket)}`,
    `node=${singleQuoted(node)}`,
    `client=${singleQuoted(client)}`,
    `proxy=${singleQuoted(proxy?.url ?? '')}`,
    `direct=${singleQuoted(proxy?.direct ?? '')}`,
  ].join('\n')
}

/** The plugin lies in `dist/plugin`, beside the client; copied elsewhere, the \`grove\` command is the way to it. */
const searching = `GROVE_HOME=\${GROVE_HOME:-$HOME/.grove}
socket=$GROVE_HOME/grove.sock
node=
client=\${0%/*}/../../hook.cjs
[ -r "$client" ] || client=$(command -v grove) || exit 0
`.trimEnd()
