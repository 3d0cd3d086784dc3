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

  constructor(
    code: ApiErrorCode,
    message: string,
    more: { status?: number; requestId?: string; issues?: readonly ErrorIssue[]; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.status = more.status ?? 0
    this.requestId = more.requestId
    this.issues = more.issues ?? []
  }
}

export const isApiError = (error: unknown, code?: ApiErrorCode): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)

/** Reads the error envelope; a gateway's HTML page or an empty body still becomes one readable error. */
export function toApiError(status: number, body: unknown): ApiError {
  const parsed = ErrorBody.safeParse(body)
  if (!parsed.success)
    return new ApiError('unexpected_response', `The server returned status ${status} without an explanation`, {
      status,
    })
  const { error, message, requestId, issues } = parsed.data
  return new ApiError(error, message, { status, requestId, issues })
}

/** The platform answers so to a route that it does not have, and to an unknown id. */
export const isMissing = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 404 || error.status === 405)

/** Trying again may help: the network or the server failed, not the request. */
export const canRetry = (error: unknown) =>
  isApiError(error) && (error.code === 'unreachable' || error.code === 'unavailable' || error.status >= 500)
