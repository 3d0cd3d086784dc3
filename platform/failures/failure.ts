import type { ErrorCode, ErrorIssue } from '#contract/errors.ts'
import { type Fault, faultSentence } from '#contract/plain-messages.ts'

/** A refusal that the caller may read: one of the API's nine error codes and a sentence. Everything else becomes `internal`. */
export class Failure extends Error {
  readonly code: ErrorCode
  readonly issues: ErrorIssue[] | undefined

  constructor(code: ErrorCode, message: string, issues?: ErrorIssue[]) {
    super(message)
    this.name = 'Failure'
    this.code = code
    this.issues = issues
  }
}

export const invalid = (message: string, issues?: ErrorIssue[]) => new Failure('invalid_argument', message, issues)
/** A body may be wrong in a million places; the first few are enough for its sender. */
const maxFaults = 200
const maxListed = 20

/** Refuses fields, each under its path; `describe` may name them as the caller does. */
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
export const unavailable = (message: string) => new Failure('unavailable', message)
