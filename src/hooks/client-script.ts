/** What the script is told when it is installed; without it, it finds everything by itself, as in the plugin. */
export interface ClientPlaces {
  home: string
  socket: string
  /** The Node that Grove runs on. */
  node: string
  /** `hook.cjs` of this installation. */
  client: string
}

/**
 * The hook client that needs no Node: a shell script that hands the event to the daemon with `curl`, at a fifth of what
 * starting Node costs. When there is no `curl`, nobody answers or the answer is odd, Node takes over with the same
 * input. It ends with 0 whatever happens, because 2 would stop the agent.
 */
export function clientScript(places?: ClientPlaces): string {
  return `#!/bin/sh
# Grove's hook client. \`grove init\` writes it; what you change here is lost with the next one.
${places ? installed(places) : searching}
event=\${1:-unknown}
payload=

# -O: a socket that belongs to somebody else is not Grove's. A daemon that says nothing for five seconds is not well.
if [ -S "$socket" ] && [ -O "$socket" ] && command -v curl >/dev/null 2>&1; then
  payload=$(cat)
  most=600
  [ "$event" = session-end ] && most=0.8
  if answer=$(
    curl -q --silent --fail --noproxy '*' --unix-socket "$socket" --connect-timeout 1 --max-time "$most" \\
      --speed-limit 1 --speed-time 5 --header 'Content-Type: application/json' --header 'Expect:' \\
      --data-binary @- "http://grove/hooks/$event" 2>/dev/null <<PAYLOAD
$payload
PAYLOAD
  ); then
    printf '%s\\n' "$answer"
    exit 0
  fi
fi

[ -x "$node" ] || node=$(command -v node) || exec cat >/dev/null
[ -r "$client" ] || exec cat >/dev/null
export GROVE_HOME
# What nobody has read yet, Node reads itself.
[ "$payload" ] || exec "$node" "$client" hook "$event" ask
exec "$node" "$client" hook "$event" alone <<PAYLOAD
$payload
PAYLOAD
`
}

function installed({ home, socket, node, client }: ClientPlaces): string {
  return [
    `GROVE_HOME=${quote(home)}`,
    `socket=${quote(socket)}`,
    `node=${quote(node)}`,
    `client=${quote(client)}`,
  ].join('\n')
}

/** The plugin lies in `dist/plugin`, beside the client; copied elsewhere, the \`grove\` command is the way to it. */
const searching = `GROVE_HOME=\${GROVE_HOME:-$HOME/.grove}
socket=$GROVE_HOME/grove.sock
node=
client=\${0%/*}/../../hook.cjs
[ -r "$client" ] || client=$(command -v grove) || exit 0
`.trimEnd()

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
