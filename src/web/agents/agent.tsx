export default function Agent(_: { id: string }) {
  return <div />
}
