export default function Learnings(_: { id?: string | undefined; part?: string | undefined }) {
  return (
    <div className="page">
      <h1>Learnings</h1>
    </div>
  )
}
