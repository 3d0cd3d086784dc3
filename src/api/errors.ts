import { ErrorBody, type ErrorCode, type ErrorIssue } from '#contract/errors.ts'

/** The API's codes, plus two of ours: no response, or a response that isn't from the API. */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'unexpected_response'

/** The only error a call throws. `status` is 0 when there was no response. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ApiErrorCode
  readonly status: number
  readonly requestId: string | undefined
  readonly issues: readonly ErrorIssue[]
  /** How long the server asks to wait before the next try; undefined if it names no time. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: ApiErrorCode,
    message: string,
    more: {
      status?: number
      requestId?: string
      issues?: readonly ErrorIssue[]
      retryAfterMs?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = more.status ?? 0
    this.requestId = more.requestId
    this.issues = more.issues ?? []
    this.retryAfterMs = more.retryAfterMs
  }
}

export const isApiError = (error: unknown, code?: ApiErrorCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)

/** Reads the error envelope; a gateway's HTML page or an empty body still becomes one readable error. */
export function toApiError(status: number, body: unknown, retryAfter: string | null = null): ApiError {
  const retryAfterMs = readRetryAfter(retryAfter)
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success)
    return new ApiError('unexpected_response', `The server returned status ${status} without an explanation`, {
      status,
      retryAfterMs,
    })
  const { error, message, requestId, issues } = parsed.data
  return new ApiError(error, message, { status, requestId, issues, retryAfterMs })
}

/** The platform answers so to a route that it does not have, and to an unknown id. */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 404 || error.status === 405)

/** Reads seconds or a date, the two forms of the header. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\d+$/.test(header)
    ? Number(header) * 1000
    : Date.parse(/^[a-z]/i.test(header) ? header : '') - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Trying again may help: the network or the server failed, not the request. */
export const canRetry = (error: unknown) =>
  isApiError(error) && (error.code === 'unreachable' || error.code === 'unavailable' || error.status >= 500)

/** Nobody looks at a page that loads for longer. */
const longestWaitMs = 30_000

/** A read is tried again after a failure of the network or the server, and after a refusal that says when to. */
export const canReadAgain = (error: unknown) => {
  const wait = isApiError(error) ? error.retryAfterMs : undefined
  return wait === undefined ? canRetry(error) : wait <= longestWaitMs
}

/** One second, then two, but never before the time that the server named. */
export const waitBeforeReading = (failures: number, error: unknown) =>
  Math.max(1000 * 2 ** failures, (isApiError(error) && error.retryAfterMs) || 0)
