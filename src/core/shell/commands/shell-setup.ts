import type { Value } from '../values.ts'

/** Tools that print settings for the shell that asks: `eval "$(direnv hook bash)"`. */
const PRINTS_SETTINGS: Record<string, RegExp> = {
  'ssh-agent': /^(?:-[sck])?$/,
  'docker-machine': /^env$/,
  atuin: /^init$/,
  brew: /^shellenv$/,
  conda: /^shell\./,
  dircolors: /^(?:-b)?$/,
  direnv: /^(?:hook|export)$/,
  fnm: /^env$/,
  goenv: /^init$/,
  jenv: /^init$/,
  luarocks: /^path$/,
  mamba: /^shell/,
  micromamba: /^shell$/,
  minikube: /^docker-env$/,
  mise: /^(?:activate|env|hook-env)$/,
  nodenv: /^init$/,
  opam: /^(?:env|config)$/,
  pyenv: /^(?:init|virtualenv-init)$/,
  rbenv: /^init$/,
  starship: /^init$/,
  thefuck: /^--alias$/,
  zoxide: /^init$/,
}

/** Whether it only prints settings: a shell that evaluates them changes no file. */
export function printsSettings(base: string, [verb]: readonly Value[]): boolean {
  return Object.hasOwn(PRINTS_SETTINGS, base) && PRINTS_SETTINGS[base]!.test(verb?.text ?? '')
}
