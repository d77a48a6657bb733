import type { Call, Effect, WriteTraits } from '../call.ts'
import { type Options, readOptions } from '../options.ts'
import { baseName, joinPath, known, literal, mapText, type Output, type Value } from '../values.ts'

/** Commands whose very purpose is to make, move and remove files. */
export const files: Record<string, Effect> = {
  cp: (call) => copyOrMove(call, false),
  mv: (call) => copyOrMove(call, true),
  rm: (call) => {
    const options = readOptions(call.args)
    const traits = options.has('r', 'R', 'recursive') ? TREE : {}
    for (const path of options.operands) call.write(path, 'delete', traits)
  },
  rmdir: (call) =>
    eachOperand(call, {}, (path, options) => {
      for (const folder of options.has('p', 'parents') ? withParents(path) : [path])
        call.write(folder, 'delete', { folder: true })
    }),
  unlink: (call) => eachOperand(call, {}, (path) => call.write(path, 'delete')),
  trash: (call) => eachOperand(call, {}, (path) => call.write(path, 'delete', TREE)),
  shred: (call) => {
    const options = readOptions(call.args, { values: 'n s' })
    for (const path of options.operands) call.write(path, options.has('u', 'remove') ? 'delete' : 'modify')
  },
  mkdir: (call) => eachOperand(call, { values: 'm mode' }, (path) => call.write(path, 'create', { folder: true })),
  mkfifo: (call) => eachOperand(call, { values: 'm mode' }, (path) => call.write(path, 'create')),
  mknod: (call) => call.write(readOptions(call.args, { values: 'm mode' }).operands[0], 'create'),
  // Wildcards name what is there, and of a folder it changes only the time.
  touch: (call) =>
    eachOperand(call, { values: 'd date t r reference' }, (path) =>
      call.write(path, path.glob && /[*?]/.test(path.text) ? 'modify' : 'create'),
    ),
  fallocate: (call) => eachOperand(call, { values: 'l length o offset' }, (path) => call.write(path, 'modify')),
  dos2unix: (call) => converted(call),
  unix2dos: (call) => converted(call),
  truncate: (call) => eachOperand(call, { values: 's size r reference' }, (path) => call.write(path, 'modify')),
  ln: link,
  install,
  dd: (call) => {
    for (const arg of call.args) {
      if (arg.text.startsWith('of='))
        call.write(
          mapText(arg, (text) => text.slice(3)),
          'create',
        )
    }
  },
  chmod: changeMode,
  chown: changeMode,
  chgrp: changeMode,
  rename: (call) => {
    const options = readOptions(call.args)
    if (options.has('n', 'nono', 'no-act')) return
    call.undecided('rename: the new names come from an expression')
    for (const path of options.operands.slice(1)) call.write(path, 'move')
  },
  mktemp: (call) => {
    const options = readOptions(call.args, { values: 'p suffix', attached: '' })
    const folder = options.get('p', 'tmpdir') ?? call.place.variables.get('TMPDIR')?.[0] ?? known('/tmp')
    const template = options.operands[0] ?? known('tmp.XXXXXXXXXX')
    const isOwnPath = options.operands.length > 0 && !options.has('t', 'p', 'tmpdir')
    const name = `${template.text}${options.get('suffix')?.text ?? ''}`
    // The template stands for the new path: the random letters are unknown, and later commands name the same path through a variable.
    const path = {
      text: isOwnPath ? name : `${folder.text}/${name}`,
      glob: template.glob || (!isOwnPath && folder.glob),
    }
    if (!options.has('u', 'dry-run')) call.write(path, 'create', options.has('d', 'directory') ? { folder: true } : {})
    return [path]
  },
}

const TREE: WriteTraits = { tree: true }
const MOVED: WriteTraits = { moved: true }

/** The path and every folder above it, as far as it is spelled. */
function withParents(path: Value): Value[] {
  const parts = path.text.replace(/(?<!\/)\/+$/, '').split('/')
  return parts
    .map((_, at) => ({ ...path, text: parts.slice(0, parts.length - at).join('/') }))
    .filter(({ text }) => text)
}

/** `dos2unix` and the like: each file in place, or with `-n` pairs of old and new. */
function converted(call: Call): undefined {
  const options = readOptions(call.args, { values: 'c convmode D display-enc' })
  if (options.has('i', 'info', 'O', 'to-stdout')) return
  const isPaired = options.has('n', 'newfile')
  for (const [at, path] of options.operands.entries()) if (!isPaired || at % 2 === 1) call.write(path, 'modify')
}

function eachOperand(
  call: Call,
  names: Parameters<typeof readOptions>[1],
  act: (path: Value, options: Options) => void,
): undefined {
  const options = readOptions(call.args, names)
  for (const path of options.operands) act(path, options)
}

function copyOrMove(call: Call, moves: boolean): Output {
  const options = readOptions(call.args, { values: 't target-directory S suffix' })
  const folder = options.get('t', 'target-directory')
  const sources = folder ? options.operands : options.operands.slice(0, -1)
  const target = folder ?? options.operands.at(-1)
  if (!target || sources.length === 0) return
  if (options.has('l', 'link') && !moves) call.undecided('cp: makes links')
  const isTree = moves || options.has('r', 'R', 'a', 'recursive', 'archive')
  const traits = { ...(isTree && TREE), ...(moves && MOVED) }
  if (moves) for (const source of sources) call.write(source, 'move', TREE)
  const isNamed = options.has('T', 'no-target-directory')
  const landed = folder || isNamed ? landing(sources, target, !isNamed) : landings(call, sources, target)
  const from = sources.length === 1 ? literal(sources[0]) : undefined
  for (const written of landed)
    call.write(written, 'create', { ...traits, ...(from !== undefined && { copyOf: from }) })
}

/** Where each source ends up: below a folder, or at the target itself. */
export function landing(sources: Value[], target: Value, into: boolean): Value[] {
  if (!into) return [target]
  const folder = target.text.replace(/(?<!\/)\/+$/, '') || '/'
  return sources.map((source) => {
    const name = baseName(source.text)
    // `cp -r src/. out` and `cp -r . out` pour the content into the folder itself.
    if (name === '.' || name === '' || name === '..') return { ...target, text: folder }
    return { text: folder === '.' ? name : `${folder}/${name}`, glob: target.glob || source.glob }
  })
}

/** Where `cp a b` puts a: into the folder b, or over b, or either when the command itself may just have made b. */
export function landings(call: Call, sources: Value[], target: Value): Value[] {
  const into = isFolderTarget(call, sources, target)
  if (into !== 'either') return landing(sources, target, into)
  return [...landing(sources, target, true), target]
}

/** Disk knows best whether the target is a folder; otherwise the spelling decides. */
function isFolderTarget(call: Call, sources: Value[], target: Value): boolean | 'either' {
  // A target with wildcards of its own is one path among several (`mv "$f" "${f%.js}.ts"` in a loop).
  // So is one that looks like a file: several could not be moved there.
  const to = baseName(target.text)
  const looksLikeFile = /.\.[\w-]+$/
  const isList = sources.length > 1 || (sources[0]!.glob && !target.glob && !looksLikeFile.test(to))
  if (isList || /(^|\/)\.{0,2}$/.test(target.text)) return true
  const from = baseName(sources[0]!.text)
  const onDisk = call.isFolder(target)
  // Afterwards the folder may be what was moved: then it does not hold that.
  if (onDisk === true && call.hasRun && !looksLikeFile.test(from) && isEmptyHanded(call, sources, target)) return false
  if (onDisk !== undefined) return onDisk
  // `a.ts src` goes into a folder; `Dockerfile.dev Dockerfile` does not.
  return looksLikeFile.test(from) && !to.includes('.') && !from.startsWith(to) && /^[a-z_-]+$/.test(to)
}

function isEmptyHanded(call: Call, sources: Value[], target: Value): boolean {
  return landing(sources, target, true).every((path) => call.isThere(path) === false)
}

function link(call: Call): undefined {
  const options = readOptions(call.args, { values: 't target-directory S' })
  const given = options.get('t', 'target-directory')
  const isAlone = options.operands.length === 1 && !given
  const sources = given || isAlone ? options.operands : options.operands.slice(0, -1)
  const target = given ?? (isAlone ? HERE : options.operands.at(-1))
  if (!target) return
  const names = /(^|\/)\.{0,2}$/.test(target.text) || sources.length > 1 || call.isFolder(target) === true
  const into = given !== undefined || isAlone || (!options.has('n', 'T') && names)
  const isSoft = options.has('s', 'symbolic')
  for (const [at, path] of landing(sources, target, into).entries()) {
    const source = literal(sources[at])
    const from = source !== undefined && !isSoft && call.place.cwd ? joinPath(call.place.cwd, source) : source
    call.write(path, 'create', { link: true, ...(from !== undefined && { linkTo: from }) })
  }
}

function install(call: Call): Output {
  const options = readOptions(call.args, {
    values: 'm mode o owner g group t target-directory S',
  })
  if (options.has('d', 'directory')) {
    for (const path of options.operands) call.write(path, 'create', { folder: true })
    return
  }
  const folder = options.get('t', 'target-directory')
  const sources = folder ? options.operands : options.operands.slice(0, -1)
  const target = folder ?? options.operands.at(-1)
  if (!target || sources.length === 0) return
  const landed = folder ? landing(sources, target, true) : landings(call, sources, target)
  for (const path of landed) call.write(path, 'create')
}

function changeMode(call: Call): undefined {
  // `chmod -x file`: here a dash starts the mode, not an option.
  const args = call.args.filter((arg) => !/^-[rwxXst]+$/.test(arg.text))
  const options = readOptions(args, { values: 'reference from' })
  const hasMode = args.length === call.args.length && !options.has('reference')
  const traits = options.has('R', 'recursive') ? TREE : {}
  for (const path of options.operands.slice(hasMode ? 1 : 0)) call.write(path, 'modify', traits)
}

/** A path beside another: `file` + `.bak`. */
export function beside(path: Value, suffix: string): Value {
  return suffix.includes('*')
    ? mapText(path, (text) => suffix.replaceAll('*', baseName(text)))
    : mapText(path, (text) => text + suffix)
}

/** The current folder as a value. */
export const HERE = known('.')
