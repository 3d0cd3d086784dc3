const perTurn = 6

/**
 * Many polls wait for one check of the database and become ready together. Answering a few at a time lets runs and
 * other requests continue in between.
 */
export function createTurnQueue() {
  const waiting: (() => void)[] = []

  const next = () => {
    for (const proceed of waiting.splice(0, perTurn)) proceed()
    if (waiting.length > 0) setImmediate(next)
  }

  return () =>
    new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
}
