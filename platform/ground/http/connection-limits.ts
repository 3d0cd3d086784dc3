import { type ConnectionLimits as AnyConnectionLimits, defaultTimes } from '#server-kit/limit-connections.ts'

export type ConnectionLimits = AnyConnectionLimits & {
  /** Requests in progress of callers with a key. An organization can have half of them. */
  requests: number
  /** Requests in progress on each route that needs no key. */
  keylessRequests: number
}

/** Each connection uses one of the process's open files. */
export const defaultConnectionLimits: ConnectionLimits = {
  ...defaultTimes,
  connections: 2000,
  requests: 1000,
  keylessRequests: 50,
}
