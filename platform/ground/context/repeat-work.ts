type Work = { run: () => Promise<unknown>; fault: string }

/**
 * Does some work again and again, one thing after the other, while the platform runs. A pass that takes longer than the
 * interval delays the next one. A fault is logged, and the next pass tries again. Returns a stop function, which resolves
 * after the current pass.
 */
export function repeatWork(everyMs: number, works: readonly Work[]) {
  let working: Promise<void> | null = null
  const pass = async () => {
    for (const { run, fault } of works) {
      try {
        await run()
      } catch (error) {
        console.error(`${fault}. The next attempt is in ${everyMs / 1000} s:`, error)
      }
    }
    working = null
  }
  const timer = setInterval(() => void (working ??= pass()), everyMs).unref()
  return async () => {
    clearInterval(timer)
    await working
  }
}
