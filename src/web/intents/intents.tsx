export default function Intents(_: { id?: string | undefined; part?: string | undefined }) {
  return (
    <div className="page">
      <h1>Intents</h1>
    </div>
  )
}
