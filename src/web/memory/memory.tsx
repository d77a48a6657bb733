export default function Memory(_: { id?: string | undefined; part?: string | undefined }) {
  return (
    <div className="page">
      <h1>Memory</h1>
    </div>
  )
}
