import { Mark } from '../ui/mark.tsx'

/** What is wrong with a field, under it. */
export function Problem({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <p className="problem" role="alert">
      <Mark shape="wrong" />
      <span>{text}</span>
    </p>
  )
}
