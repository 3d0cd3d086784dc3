import { z } from 'zod'

/** Every error code of the API, and its HTTP status. */
export const errorStatus = {
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  already_exists: 409,
  failed_precondition: 412,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

/** The envelope of every error response. `requestId` identifies the cause in the server's log. */
export const ErrorBody = z.object({
  error: z.enum(errorCodes),
  message: z.string(),
  requestId: z.string().optional(),
  issues: z
    .array(z.object({ path: z.string(), message: z.string(), line: z.int().optional(), column: z.int().optional() }))
    .optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
export type ErrorIssue = NonNullable<ErrorBody['issues']>[number]
