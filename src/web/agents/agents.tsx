export default function Agents() {
  return (
    <div className="page">
      <h1>Agents</h1>
    </div>
  )
}
