import type { CallTokens } from '#platform/ground/models/cost-of.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'
import type { Tool } from './find-tools.ts'

/** The kinds of calls that pass. `count` and `models` calls are free. */
export type WireApi = 'messages' | 'responses' | 'chat' | 'generate' | 'count' | 'models'

/** `model` is the model in the path, for formats that have it there. `path` tells calls of one kind apart. */
export type Route = { api: WireApi; model?: string; path?: string }

/**
 * Facts in one response or one event of a stream. `tokens` replaces the tokens that earlier events named. `isEnd` says
 * that the provider will name no more tokens. `textLength` is the length of generated text in this event.
 */
export type AnswerPart = {
  model?: string | undefined
  tokens?: Partial<CallTokens> | undefined
  isEnd?: boolean
  textLength?: number
  error?: string | undefined
}

/** A field of a request that would be billed apart from tokens, or that reaches the internet. */
export type ExtraUse = { field: string; reason: 'internet' | 'billing' | 'unmeasured' }

/** The kind of an error that the gateway itself answers. */
export type Refusal =
  | 'authentication'
  | 'permission'
  | 'not-found'
  | 'invalid'
  | 'too-large'
  | 'too-slow'
  | 'budget'
  | 'busy'
  | 'upstream'

/** One provider's HTTP API, as far as the gateway must read it. */
export type WireFormat = {
  provider: ProviderName
  /** The provider's public address. A definition's base URL is of the same form. */
  baseUrl: string
  /** The address of a path at a provider. */
  urlOf: (baseUrl: string, path: string) => string
  /** The path after the gateway's own prefix. Undefined for a path that does not pass. */
  routeOf: (method: string, path: string) => Route | undefined
  /** Query parameters that pass. Others could change the answer so that it lacks the usage. */
  query: readonly string[]
  /** Request headers that pass, besides those of every format. */
  headers: RegExp
  keyHeaders: (key: string, isBearer: boolean) => Record<string, string>
  readAnswer: (answer: unknown) => AnswerPart
  /** The tools that a request defines, wherever it does so. */
  toolsIn: (body: Readonly<Record<string, unknown>>) => Tool[]
  extraUses: (body: Readonly<Record<string, unknown>>, tools: readonly Tool[]) => ExtraUse[]
  /** The field with which a part of a request names an address that the provider would load. */
  remoteField: (part: Readonly<Record<string, unknown>>) => string | undefined
  /**
   * The field with which a part of a request uses or makes an object in the provider's account, such as a file. On the
   * operator's key all organizations share that account.
   */
  storedField: (part: Readonly<Record<string, unknown>>) => string | undefined
  /** The same for the outer fields of a request. */
  storedOption: (body: Readonly<Record<string, unknown>>) => string | undefined
  /** Fields of a request that make the provider store nothing, where it stores by default. */
  notStored: (route: Route, body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | null
  /** The most tokens that the request lets the model generate, if it says so. */
  maxOutput: (body: Readonly<Record<string, unknown>>) => number | undefined
  error: (refusal: Refusal, message: string) => { status: number; body: object }
}

export const statusOf: Record<Refusal, number> = {
  authentication: 401,
  permission: 403,
  'not-found': 404,
  invalid: 400,
  'too-large': 413,
  'too-slow': 408,
  budget: 402,
  busy: 429,
  upstream: 502,
}
