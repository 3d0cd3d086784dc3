import { type ApiErrorCode, isApiError } from '#src/api/errors.ts'

type Words = { title: string; message: string; canRetry: boolean }

const known: Partial<Record<ApiErrorCode, { title: string; canRetry: boolean }>> = {
  invalid_argument: { title: 'Invalid link', canRetry: false },
  permission_denied: { title: 'You don’t have access to this', canRetry: false },
  failed_precondition: { title: 'Not available yet', canRetry: true },
  resource_exhausted: { title: 'Too many requests at once', canRetry: true },
  unavailable: { title: 'Service unavailable', canRetry: true },
  unreachable: { title: 'The server could not be reached', canRetry: true },
}

/** What happened and whether trying again can help, in the page's own words. */
export function describeRouteError(error: unknown): Words {
  if (isApiError(error)) {
    const { title, canRetry } = known[error.code] ?? { title: 'The server reported an error', canRetry: true }
    const message =
      error.code === 'unreachable' ? 'Your work is safe. Check that the service is running.' : error.message
    return { title, message, canRetry }
  }
  if (isChunkError(error))
    return { title: 'Part of this page failed to load', message: 'Assay may have been updated.', canRetry: true }
  const message = error instanceof Error ? error.message : 'Unknown error'
  return { title: 'Something went wrong on this page', message, canRetry: true }
}

/** Matches a missing lazy module after a new build; browsers word this error differently. */
const isChunkError = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
