export default function Settings(_: { id?: string | undefined; part?: string | undefined }) {
  return (
    <div className="page">
      <h1>Settings</h1>
    </div>
  )
}
