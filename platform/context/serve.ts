import type { Endpoint, ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { Context, PolledContext } from './context.ts'
import type { Topic } from '#platform/polling/watch-changes.ts'
import type { WrittenBody } from './written-body.ts'

/** A contract endpoint and the verb that answers it. Verbs of unscoped endpoints are told the first organization, if any. */
export type Route = {
  endpoint: Endpoint
  verb: (context: Context, input: Record<string, unknown>) => Promise<unknown>
  guard: Guard | undefined
}

/** `topicOf` tells what an answer depends on, beside the organization, the role and the input. */
export type PolledRoute = {
  endpoint: Endpoint
  verb: (context: PolledContext, input: Record<string, unknown>) => Promise<unknown>
  topicOf: (input: Record<string, unknown>) => Topic
  guard: undefined
}

/** What a verb may return: what the endpoint's response says, or that as text. */
export type AnswerOf<E extends Endpoint> = ResponseOf<E> | WrittenBody<ResponseOf<E>>

/** Throws to refuse a caller before anything of the request but its headers and `org_id` is looked at. */
type Guard = (context: Context) => void

/**
 * Binds a verb to its endpoint. The verb receives parsed input and returns what the endpoint's response says;
 * it throws a Failure to refuse. It knows nothing of HTTP. `guard` stands before routes that only some roles may call.
 */
export function serve<E extends Endpoint>(
  endpoint: E,
  verb: (context: Context, input: VerbInput<E>) => Promise<AnswerOf<E>>,
  guard?: Guard,
): Route {
  return { endpoint, verb: (context, input) => verb(context, input as VerbInput<E>), guard }
}

/**
 * A route that pages poll: everybody with the same role in an organization gets the same answer, which is kept until
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
