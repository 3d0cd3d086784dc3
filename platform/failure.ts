import type { ErrorCode, ErrorIssue } from '#contract/errors.ts'

/** A refusal the caller may read: one of the spec's nine codes and a sentence. Everything else becomes `internal`. */
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
export const unauthenticated = (message: string) => new Failure('unauthenticated', message)
export const denied = (message: string) => new Failure('permission_denied', message)
export const notFound = (message: string) => new Failure('not_found', message)
export const conflict = (message: string) => new Failure('already_exists', message)
export const preconditionFailed = (message: string) => new Failure('failed_precondition', message)
export const exhausted = (message: string) => new Failure('resource_exhausted', message)
export const unavailable = (message: string) => new Failure('unavailable', message)
