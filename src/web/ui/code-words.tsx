import { splitFlags } from './format.ts'

/** A command as code. A browser breaks a line after any hyphen: a flag is a box, broken only where it is longer than the line. */
export function CodeWords({ text }: { text: string }) {
  return splitFlags(text).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <span className="code-word" key={index}>
        {part}
      </span>
    ) : (
      part
    ),
  )
}
