/** Paths inside a text. */

const WORD =
  /(?<![\w@.-])(?:[\w@.-]{0,100}\/[\w@./*-]+|[\w-]{1,100}\.(?:[tj]sx?|[mc]js|py|go|rs|rb|java|kt|swift|cc?|cpp|hpp|cs|php|mdx?|rst|json|ya?ml|toml|s?css|html|vue|svelte|sql|proto)\b)/g

/** Every word of a text that may be a path, `and/or` too: right where it is only compared with paths that are known. */
export function pathWords(text: string): string[] {
  return text.match(WORD) ?? []
}

const MENTION =
  /(?:^|[\s"'`(])((?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.*-]*|[\w-]+(?:\.[\w-]+)*\.(?:[a-z][a-z0-9]{0,4}))(?=$|[\s"'`),:;.!?])/gim
const NOT_A_FILE = /^(?:e\.g|i\.e|etc|vs|node\.js|next\.js|vue\.js|react\.js|d\.ts)$/i

/** Files and folders that prose surely mentions, in order, once each: they become a task's scope, and people see them. */
export function mentionedPaths(text: string): string[] {
  const found = [...text.matchAll(MENTION)]
    .map((match) => match[1]!.replace(/^\.\//, '').replace(/(?<![.])[.]+$/, ''))
    .filter((path) => path.length > 2 && !NOT_A_FILE.test(path) && !/^\d+(\.\d+)*$/.test(path))
    // "and/or", "read/write": a slash between two bare words is not a folder.
    .filter(
      (path) =>
        !/^[a-z]+\/[a-z]+$/i.test(path) ||
        /^(src|lib|app|test|tests|docs|packages|cmd|internal|pkg|server|client|web|api)\//.test(path),
    )
  return [...new Set(found)].slice(0, 20)
}
