import { Mark } from '../ui/mark.tsx'

/** What is wrong with a field, under it. */
export function Problem({ of, text }: { of: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p className="problem" role="alert" id={`${of}-problem`}>
      <Mark shape="wrong" />
      <span>{text}</span>
    </p>
  )
}

/** What ties a field to its problem, for screen readers. */
export function fieldOf(name: string, problem: string | undefined) {
  return {
    id: name,
    'aria-invalid': problem !== undefined,
    ...(problem !== undefined && { 'aria-describedby': `${name}-problem` }),
  }
}
