/** The number of waiting callers, and a signal that aborts when all of them have disconnected. */
export type Askers = { count: number; hangUp: AbortSignal }

type Group<Answer> = { signals: AbortSignal[]; answer: Promise<Answer> }

/**
 * Lets identical requests share one response. A request joins only a request that has not been sent yet, because a
 * response in progress may miss a change that the caller knows of.
 */
export function shareAnswers<Answer>() {
  const waiting = new Map<string, Group<Answer>>()
  const underWay = new Map<string, Promise<void>>()

  const begin = (key: string, askers: Askers, ask: (askers: Askers) => Promise<Answer>) => {
    const answer = ask(askers)
    const end = () => {
      if (underWay.get(key) === ended) underWay.delete(key)
    }
    const ended = answer.then(end, end)
    underWay.set(key, ended)
    return answer
  }

  const beginWith = async (key: string, before: Promise<void>, ask: (askers: Askers) => Promise<Answer>) => {
    await before
    const { signals } = waiting.get(key) ?? { signals: [] }
    waiting.delete(key)
    return begin(key, { count: signals.length, hangUp: allOf(signals) }, ask)
  }

  return (key: string, hangUp: AbortSignal, ask: (askers: Askers) => Promise<Answer>): Promise<Answer> => {
    const group = waiting.get(key)
    if (group) {
      group.signals.push(hangUp)
      return group.answer
    }
    const before = underWay.get(key)
    if (!before) return begin(key, { count: 1, hangUp }, ask)
    const started: Group<Answer> = { signals: [hangUp], answer: beginWith(key, before, ask) }
    waiting.set(key, started)
    return started.answer
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
