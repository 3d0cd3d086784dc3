import type { RunRequest } from '#contract/runs.ts'
import { LoadingArea } from './LoadingArea.tsx'
import { type Empty, EmptyState } from './EmptyState.tsx'
import { ErrorNotice, type Failure } from './ErrorNotice.tsx'
import { RequestRow } from './RequestRow.tsx'
import lines from './line-list.module.css'

type Props = {
  label: string
  /** Undefined until the first response. */
  requests: readonly RunRequest[] | undefined
  error: Failure | null
  onRetry: () => void
  empty: Empty
  showsExperiment?: boolean
}

/** A short list of run requests with the four states of every list. */
export function RequestRows({ label, requests, error, onRetry, empty, showsExperiment = true }: Props) {
  if (error) return <ErrorNotice title={`The ${label} could not be loaded`} error={error} onRetry={onRetry} />
  if (!requests) return <LoadingArea label={`Loading ${label}`} height={96} />
  if (requests.length === 0) return <EmptyState {...empty} />
  return (
    <ul className={lines.list} aria-label={label}>
      {requests.map((request) => (
        <RequestRow key={request.id} request={request} showsExperiment={showsExperiment} />
      ))}
    </ul>
  )
}
