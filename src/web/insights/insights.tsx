export default function Insights() {
  return (
    <div className="page">
      <h1>Insights</h1>
    </div>
  )
}
