import { Component } from 'react'
import { Button, Note } from '../ui/small.tsx'

/** A view that breaks takes down itself only, and says so. */
export class Failed extends Component<{ children: React.ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div className="page">
        <h1 className="hidden-label">A view that failed</h1>
        <Note tone="wrong">
          <span className="grow">
            {/preload|dynamically imported/.test(error.message)
              ? 'This view could not be loaded: Grove was updated, cannot be reached, or no longer knows this browser.'
              : `This view failed: ${error.message}.`}{' '}
            What you have typed is kept.
          </span>
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </Note>
      </div>
    )
  }
}
