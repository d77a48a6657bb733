import type { Call, Effect } from '../call.ts'
import { readOptions } from '../options.ts'
import {
  baseName,
  contentOf,
  joinPath,
  known,
  literal,
  mapText,
  type Output,
  UNKNOWN,
  unknown,
  type Value,
} from '../values.ts'
import { HERE, landing, landings } from './files.ts'

/** Packing, unpacking, and bringing files from elsewhere. */
export const archives: Record<string, Effect> = {
  tar,
  bsdtar: tar,
  gtar: tar,
  unzip: (call) => {
    const options = readOptions(call.args, { values: 'd x P' })
    if (options.has('l', 'p', 't', 'v', 'Z')) return
    unpackOwn(call, options.operands[0], options.get('d'))
    named(call, 'zip', options.operands.slice(0, 1), options.get('d'))
    unpack(call, options.get('d'))
  },
  zip: (call) => {
    const options = readOptions(call.args, { values: 'x i b t' })
    const [given, ...members] = options.operands
    const archive = given && mapText(given, (text) => (/\.\w+$/.test(text) ? text : `${text}.zip`))
    call.write(archive, 'create')
    if (archive)
      call.packs(archive, options.has('j', 'junk-paths') ? members.map((one) => mapText(one, baseName)) : members)
    if (options.has('m')) for (const path of members) call.write(path, 'delete', { tree: true })
  },
  cpio: (call) => {
    const options = readOptions(call.args, { values: 'F file D directory O I E H' })
    if (!options.has('i', 'extract', 'p', 'pass-through') || options.has('t', 'list')) return
    if (options.has('i', 'extract'))
      named(call, 'cpio', [options.get('F', 'file', 'I') ?? pipedFile(call)], options.get('D', 'directory'))
    unpack(call, options.get('D', 'directory') ?? options.operands[0])
  },
  jar,
  '7z': sevenZip,
  '7za': sevenZip,
  gzip: (call) => compress(call, '.gz'),
  gunzip: (call) => decompress(call),
  bzip2: (call) => compress(call, '.bz2'),
  bunzip2: (call) => decompress(call),
  xz: (call) => compress(call, '.xz'),
  unxz: (call) => decompress(call),
  zstd: (call) => {
    const options = readOptions(call.args, { values: 'o' })
    const output = options.get('o')
    if (output) call.write(output, 'create')
    else if (!options.has('c', 't', 'l')) {
      for (const path of options.operands)
        call.write(
          mapText(path, (text) => (options.has('d') ? text.replace(/\.zst$/, '') : `${text}.zst`)),
          'create',
        )
    }
  },
  rsync: (call) => {
    const options = readOptions(call.args, {
      values: 'e rsh exclude include filter f exclude-from files-from log-file backup-dir bwlimit',
    })
    const target = options.operands.at(-1)
    call.write(options.get('log-file'), 'create')
    if (options.operands.length < 2 || options.has('n', 'dry-run', 'list-only') || isRemote(target!)) return
    const sources = options.operands.slice(0, -1)
    // `src/` pours its content into the target, `src` puts itself below it.
    const isPoured = sources.every((source) => source.text.endsWith('/')) || options.has('delete')
    for (const path of isPoured ? [target!] : landings(call, sources, target!))
      call.write(path, 'create', { tree: true })
    if (options.has('remove-source-files')) for (const source of sources) call.write(source, 'delete', { tree: true })
  },
  scp: (call) => {
    const options = readOptions(call.args, { values: 'P i o F J c l' })
    const target = options.operands.at(-1)
    if (options.operands.length < 2 || isRemote(target!)) return
    const sources = options.operands
      .slice(0, -1)
      .map((source) => mapText(source, (text) => text.replace(/^[^/:]+:/, '')))
    const traits = options.has('r') ? { tree: true as const } : {}
    for (const path of landings(call, sources, target!)) call.write(path, 'create', traits)
  },
  curl,
  wget,
}

function isRemote(path: Value): boolean {
  return /^[^/]*:/.test(path.text)
}

/** An archive that the same command line packs does not exist yet; its members are known from the packing command. */
export function unpackOwn(call: Call, archive: Value | undefined, folder: Value | undefined): void {
  const origin = call.stdin?.[0]?.origin
  const isPiped = archive === undefined || archive.text === '-'
  const members = isPiped ? origin && 'packed' in origin && origin.packed : call.packedIn(archive)
  for (const member of members || []) {
    const name = mapText(member, (text) => text.replace(/^\/+/, '').replace(/^(?:\.\/)+(?=.)/, ''))
    call.write(name.text === '.' ? (folder ?? HERE) : landingUnder(folder ?? HERE, [name])[0], 'create', { tree: true })
  }
}

function unpack(call: Call, folder: Value | undefined): undefined {
  call.write(folder ?? HERE, 'create', { tree: true, maybe: true })
}

/** The archive lists its members. */
function named(
  call: Call,
  kind: 'tar' | 'zip' | 'cpio',
  from: (Value | undefined)[],
  folder: Value | undefined,
  strip = 0,
): void {
  const into = literal(folder)
  if (folder !== undefined && into === undefined) return
  call.namesIn({ kind, from, strip, ...(into !== undefined && { folder: into }) })
}

function pipedFile({ stdin, stdinFile }: Call): Value | undefined {
  const origin = stdin?.[0]?.origin
  return origin && 'file' in origin ? origin.file : stdinFile
}

/** `git archive … | tar x`: what git packs is unpacked. */
function archived(call: Call, args: Value[], folder: Value | undefined): void {
  const { operands, get } = readOptions(args, { values: 'format prefix' })
  const [into, prefix] = [literal(folder ?? HERE), literal(get('prefix') ?? known(''))]
  if (into === undefined || prefix === undefined) return
  const isElsewhere = folder !== undefined || prefix !== ''
  call.namesIn({ kind: 'tree', from: operands, ...(isElsewhere && { folder: joinPath(into, prefix) }) })
}

function tar(call: Call): Output {
  // The old spelling, `tar xzf`, has no dash.
  const [first, ...rest] = call.args
  const args = first && /^[a-zA-Z]+$/.test(first.text) ? [known(`-${first.text}`), ...rest] : call.args
  const options = readOptions(args, {
    values: 'f file C directory X exclude T strip-components transform I',
  })
  const folder = options.get('C', 'directory')
  if (options.has('x', 'extract', 'get')) {
    if (options.has('O', 'to-stdout')) return
    // Members that are named are all that is unpacked, where it leaves their names alone.
    const isPlain = options.operands.length > 0 && !options.has('strip-components', 'transform', 'xform', 'wildcards')
    if (!isPlain) {
      const archive = options.get('f', 'file')
      const strip = Number(options.get('strip-components')?.text ?? 0)
      const origin = call.stdin?.[0]?.origin
      const piped = origin && 'git' in origin ? origin.git : undefined
      if (piped?.[0]?.text === 'archive') archived(call, piped.slice(1), folder)
      const from = archive && archive.text !== '-' ? archive : pipedFile(call)
      if (strip === 0) unpackOwn(call, archive, folder)
      if (options.has('transform', 'xform')) call.write(folder ?? HERE, 'create', { tree: true })
      else named(call, 'tar', [from], folder, strip)
      return unpack(call, folder)
    }
    for (const path of folder ? landingUnder(folder, options.operands) : options.operands)
      call.write(path, 'create', { tree: true })
  } else if (options.has('delete', 'A', 'catenate', 'concatenate')) {
    call.write(options.get('f', 'file'), 'modify')
  } else if (options.has('c', 'create', 'r', 'append', 'u', 'update')) {
    const archive = options.get('f', 'file')
    if (archive?.text !== '-') call.write(archive, 'create')
    if (archive && archive.text !== '-') call.packs(archive, options.operands)
    if (options.has('remove-files')) for (const path of options.operands) call.write(path, 'delete', { tree: true })
    if (!archive || archive.text === '-') return [{ ...unknown(), origin: { packed: options.operands } }]
  }
  return undefined
}

function landingUnder(folder: Value, paths: Value[]): Value[] {
  const top = folder.text.replace(/(?<!\/)\/+$/, '')
  return paths.map((path) => ({ text: `${top}/${path.text}`, glob: folder.glob || path.glob }))
}

function jar(call: Call): undefined {
  const [key, archive, ...members] = call.args
  const isOld = key && /^-?[ctxui][a-zA-Z0]*$/.test(key.text)
  if (!isOld) return call.undecided('jar: its options say what is written')
  if (/x/.test(key.text)) {
    if (members.length > 0) return eachMember(call, members)
    unpackOwn(call, archive, undefined)
    if (archive) named(call, 'zip', [archive], undefined)
    return unpack(call, undefined)
  }
  if (!/[cui]/.test(key.text)) return
  call.write(archive, 'create')
  if (archive)
    call.packs(
      archive,
      members.filter(({ text }, at) => text !== '-C' && members[at - 1]?.text !== '-C'),
    )
}

function eachMember(call: Call, members: Value[]): undefined {
  for (const path of members) call.write(path, 'create', { tree: true })
}

function sevenZip(call: Call): undefined {
  const [verb, archive, ...members] = call.args.filter((arg) => !arg.text.startsWith('-'))
  const folder = call.args.find((arg) => /^-o./.test(arg.text))
  const into = folder && mapText(folder, (text) => text.slice(2))
  if (verb?.text === 'x' || verb?.text === 'e') {
    unpackOwn(call, archive, into)
    unpack(call, into)
  } else if (verb?.text === 'a' || verb?.text === 'u') {
    call.write(archive, 'create')
    if (archive)
      call.packs(
        archive,
        members.map((one) => mapText(one, baseName)),
      )
  }
}

function compress(call: Call, suffix: string): Output {
  const options = readOptions(call.args, { values: 'S suffix' })
  if (options.has('d', 'decompress', 'uncompress')) return decompress(call)
  if (options.has('c', 'stdout', 't', 'test', 'l', 'list')) return
  for (const path of options.operands) {
    call.write(
      mapText(path, (text) => text + suffix),
      'create',
    )
    if (!options.has('k', 'keep')) call.write(path, 'delete')
  }
}

function decompress(call: Call): Output {
  const options = readOptions(call.args, { values: 'S suffix' })
  if (options.operands.length === 0) return call.stdin
  if (options.has('c', 'stdout')) return options.operands.map(contentOf)
  if (options.has('c', 'stdout', 't', 'test', 'l', 'list')) return
  for (const path of options.operands) {
    call.write(
      mapText(path, (text) => text.replace(/\.(gz|bz2|xz|tgz|Z)$/, '')),
      'create',
    )
    if (!options.has('k', 'keep')) call.write(path, 'delete')
  }
}

function curl(call: Call): Output {
  const options = readOptions(call.args, {
    values:
      'o output H header d data X request u user A user-agent e F form T b cookie c cookie-jar D dump-header w write-out m max-time x proxy K config output-dir data-raw data-binary json retry connect-timeout url cacert E cert key trace stderr unix-socket resolve',
  })
  const folder = options.get('output-dir')
  const inFolder = (path: Value) => (folder ? landing([path], folder, true)[0]! : path)
  for (const path of options.all('o', 'output')) if (path.text !== '-') call.write(inFolder(path), 'create')
  for (const path of options.all('c', 'cookie-jar', 'D', 'dump-header', 'trace', 'stderr'))
    if (path.text !== '-') call.write(path, 'create')
  if (options.has('O', 'remote-name', 'remote-name-all')) {
    for (const url of options.operands) call.write(inFolder(fileOfUrl(url)), 'create')
  }
  if (options.has('J', 'remote-header-name')) call.undecided('curl: the server names the file')
  const [url] = options.operands
  const isShown = options.all('o', 'output').every(({ text }) => text === '-') && !options.has('O', 'remote-name')
  return url?.text.startsWith('file://') && isShown
    ? fileContent(
        call,
        mapText(url, (text) => text.slice(7)),
      )
    : undefined
}

/** What is read from a file and passed on. */
export function fileContent(call: Call, file: Value): Output {
  if (file.origin && 'output' in file.origin) return file.origin.output
  const text = call.textOf(file)
  return [text === undefined || text.includes(UNKNOWN) ? contentOf(file) : known(text.replace(/\n$/, ''))]
}

function wget(call: Call): Output {
  const options = readOptions(call.args, {
    values:
      'O output-document P directory-prefix o output-file a U user-agent header T timeout t tries i input-file e post-data w',
  })
  call.write(options.get('o', 'output-file', 'a'), 'create')
  if (options.has('spider')) return
  const output = options.get('O', 'output-document')
  const folder = options.get('P', 'directory-prefix')
  if (options.has('r', 'recursive', 'm', 'mirror', 'i', 'input-file')) {
    call.undecided('wget: fetches whatever it finds')
    if (folder) call.write(folder, 'create', { tree: true })
  } else if (output) {
    if (output.text !== '-') call.write(output, 'create')
  } else {
    for (const url of options.operands) {
      const path = fileOfUrl(url)
      call.write(folder ? landing([path], folder, true)[0]! : path, 'create')
    }
  }
}

function fileOfUrl(url: Value): Value {
  return mapText(url, (text) => {
    const path = text.replace(/^\w+:\/\/[^/]*\/?/, '').replace(/[?#][\s\S]*/, '')
    return baseName(path) || 'index.html'
  })
}
