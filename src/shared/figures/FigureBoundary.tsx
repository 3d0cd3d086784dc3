import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'

import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

type Props = { children: ReactNode }
type State = { error: Error | null }

/** Shows the failure of one figure in its place, so that the rest of the report stays readable. */
export class FigureBoundary extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    const { error } = this.state
    return (
      <QueryErrorResetBoundary>
        {({ reset }) => {
          if (!error) return this.props.children
          // Without the reset, a query that failed would not be sent again.
          const retry = () => {
            reset()
            this.setState({ error: null })
          }
          return <ErrorNotice title="This figure could not be shown" error={error} onRetry={retry} />
        }}
      </QueryErrorResetBoundary>
    )
  }
}
