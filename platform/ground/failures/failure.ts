import type { ErrorCode, ErrorIssue } from '#contract/errors.ts'
import { type Fault, faultSentence } from '#contract/plain-messages.ts'

/** A refusal for the caller: one of the API's nine codes and a message. Every other error becomes `internal`. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly issues: ErrorIssue[] | undefined
  /** Set if the same request may succeed a moment later. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, issues?: ErrorIssue[], retryAfterSeconds?: number) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.issues = issues
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export const invalid = (message: string, issues?: ErrorIssue[]) => new Failure('invalid_argument', message, issues)
/** A body may have a million faults. The first few are enough for its sender. */
const maxFaults = 200
const maxListed = 20

/** Throws `invalid_argument` for fields, each with its path. `describe` may use the caller's spelling of the path. */
export function invalidFields(faults: readonly Fault[], describe: (fault: Fault) => Described = described) {
  const shown = faults.slice(0, maxFaults).map(describe)
  const said = shown.slice(0, maxListed).map((one) => one.said)
  const more = faults.length > maxListed ? [`and ${(faults.length - maxListed).toLocaleString('en')} more`] : []
  return invalid(
    [...said, ...more].join('; '),
    shown.map(({ issue }) => issue),
  )
}

type Described = { issue: ErrorIssue; said: string }

const described = (fault: Fault): Described => ({
  issue: { path: fault.path.map(String).join('.'), message: fault.message },
  said: faultSentence(fault),
})

export const unauthenticated = (message: string) => new Failure('unauthenticated', message)
export const denied = (message: string) => new Failure('permission_denied', message)
export const notFound = (message: string) => new Failure('not_found', message)
export const conflict = (message: string) => new Failure('already_exists', message)
export const preconditionFailed = (message: string) => new Failure('failed_precondition', message)
export const exhausted = (message: string) => new Failure('resource_exhausted', message)
export const unavailable = (message: string) => new Failure('unavailable', message, undefined, 2)

/** For too many requests of the caller at the same time, unlike a limit that lasts. */
export const crowded = (message: string) => new Failure('resource_exhausted', message, undefined, 2)

export const overloaded = () =>
  new Failure('unavailable', 'The server has too many requests right now. Try again in a moment', undefined, 1)
