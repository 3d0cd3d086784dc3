import { type ApiErrorCode, isApiError } from '#src/api/errors.ts'

type Words = { title: string; message: string; canRetry: boolean }

const known: Partial<Record<ApiErrorCode, { title: string; canRetry: boolean }>> = {
  invalid_argument: { title: 'This link asks for something the server does not understand', canRetry: false },
  permission_denied: { title: 'Your key may not see this', canRetry: false },
  failed_precondition: { title: 'This cannot be shown yet', canRetry: true },
  resource_exhausted: { title: 'Too many requests at once', canRetry: true },
  unavailable: { title: 'The service is not ready', canRetry: true },
  unreachable: { title: 'The server could not be reached', canRetry: true },
}

/** What happened and whether trying again can help, in the page's own words. */
export function describeRouteError(error: unknown): Words {
  if (isApiError(error)) {
    const { title, canRetry } = known[error.code] ?? { title: 'The server failed', canRetry: true }
    const message = error.code === 'unreachable' ? 'Nothing was lost. Is the service still running?' : error.message
    return { title, message, canRetry }
  }
  if (isChunkError(error))
    return { title: 'A part of the page could not be loaded', message: 'Assay may have been updated.', canRetry: true }
  const message = error instanceof Error ? error.message : 'Unknown error'
  return { title: 'This page failed', message, canRetry: true }
}

/** A lazy module that is gone after a new build; each browser has its own words for it. */
const isChunkError = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|module script failed/i.test(error.message)
