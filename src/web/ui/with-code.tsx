import { Fragment } from 'react'
import { CodeWords } from './code-words.tsx'

/** A sentence of Grove's in which names and commands stand between backticks, as in its terminal. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <code key={index}>
        <CodeWords text={part} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
