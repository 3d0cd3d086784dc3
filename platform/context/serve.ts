import type { Endpoint, ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { Context, PolledContext } from './context.ts'
import type { Topic } from '#platform/polling/watch-changes.ts'
import type { WrittenBody } from './written-body.ts'

/** A contract endpoint and its verb. Verbs of unscoped endpoints get the caller's first organization, if any. */
export type Route = {
  endpoint: Endpoint
  verb: (context: Context, input: Record<string, unknown>) => Promise<unknown>
  guard: Guard | undefined
}

/** `topicOf` returns the dependencies of an answer besides the organization, the role and the input. */
export type PolledRoute = {
  endpoint: Endpoint
  verb: (context: PolledContext, input: Record<string, unknown>) => Promise<unknown>
  topicOf: (input: Record<string, unknown>) => Topic
  guard: undefined
}

/** The result of a verb: the endpoint's response, or its text. */
export type AnswerOf<E extends Endpoint> = ResponseOf<E> | WrittenBody<ResponseOf<E>>

/** Throws to refuse a caller. It runs before any part of the request is read except its headers and `org_id`. */
type Guard = (context: Context) => void

/**
 * Binds a verb to its endpoint. The verb gets parsed input and returns the endpoint's response; it throws a Failure to
 * refuse. It knows nothing of HTTP. `guard` protects routes that only some roles may call.
 */
export function serve<E extends Endpoint>(
  endpoint: E,
  verb: (context: Context, input: VerbInput<E>) => Promise<AnswerOf<E>>,
  guard?: Guard,
): Route {
  return { endpoint, verb: (context, input) => verb(context, input as VerbInput<E>), guard }
}

/**
 * A route that pages poll. Everyone with the same role in an organization gets the same answer, which is cached until
 * its topic changes. The answer may depend only on the database, not on the clock or the caller.
 */
export function servePolled<E extends Endpoint>(
  endpoint: E,
  verb: (context: PolledContext, input: VerbInput<E>) => Promise<ResponseOf<E>>,
  topicOf: (input: VerbInput<E>) => Topic,
): PolledRoute {
  return {
    endpoint,
    verb: (context, input) => verb(context, input as VerbInput<E>),
    topicOf: (input) => topicOf(input as VerbInput<E>),
    guard: undefined,
  }
}
