import { isApiError } from '#src/api/errors.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** Why a record cannot be shown, and the next step. */
export function RecordUnavailable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!isApiError(error, 'not_found'))
    return <ErrorNotice title="The record could not be loaded" error={error} onRetry={onRetry} />
  return (
    <EmptyState
      title={error.message}
      hint="Check the id: it must match exactly. Only admins can create records."
      action={<TextLink href={paths.context()}>Choose another record</TextLink>}
    />
  )
}
