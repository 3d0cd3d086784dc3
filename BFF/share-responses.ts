/** The number of waiting callers, and a signal that aborts when all of them have disconnected. */
export type WaitingCallers = { count: number; signal: AbortSignal }

type Group<Result> = { signals: AbortSignal[]; response: Promise<Result> }

/**
 * Lets identical requests share one response. A request joins only a request that has not been sent yet, because a
 * response in progress may miss a change that the caller knows of.
 */
export function shareResponses<Result>() {
  const waiting = new Map<string, Group<Result>>()
  const running = new Map<string, Promise<void>>()

  const start = (key: string, callers: WaitingCallers, send: (callers: WaitingCallers) => Promise<Result>) => {
    const response = send(callers)
    const end = () => {
      if (running.get(key) === ended) running.delete(key)
    }
    const ended = response.then(end, end)
    running.set(key, ended)
    return response
  }

  const startAfter = async (key: string, before: Promise<void>, send: (callers: WaitingCallers) => Promise<Result>) => {
    await before
    const { signals } = waiting.get(key) ?? { signals: [] }
    waiting.delete(key)
    return start(key, { count: signals.length, signal: allOf(signals) }, send)
  }

  return (key: string, signal: AbortSignal, send: (callers: WaitingCallers) => Promise<Result>): Promise<Result> => {
    const group = waiting.get(key)
    if (group) {
      group.signals.push(signal)
      return group.response
    }
    const before = running.get(key)
    if (!before) return start(key, { count: 1, signal }, send)
    const started: Group<Result> = { signals: [signal], response: startAfter(key, before, send) }
    waiting.set(key, started)
    return started.response
  }
}

/** Aborts when all of the signals have aborted. */
function allOf(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController()
  const look = () => {
    if (signals.every(({ aborted }) => aborted)) all.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', look, { once: true })
  look()
  return all.signal
}
