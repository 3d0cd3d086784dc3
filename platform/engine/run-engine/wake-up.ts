/** Wakes one waiting loop. A call while nothing waits is remembered. */
export function createWakeUp() {
  let isWoken = false
  let mustLook = false
  let resume: (() => void) | null = null
  const wake = () => {
    isWoken = true
    resume?.()
  }
  return {
    /** Lets the loop continue. */
    resume: wake,
    /** Lets the loop continue and look at everything. */
    wake() {
      mustLook = true
      wake()
    },
    /** Whether `wake` was called since the last time. */
    takeCall() {
      const must = mustLook
      mustLook = false
      return must
    },
    async untilWoken(timeoutMs: number) {
      if (!isWoken) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, timeoutMs)
          resume = () => {
            clearTimeout(timer)
            done()
          }
        })
      }
      resume = null
      isWoken = false
    },
  }
}
