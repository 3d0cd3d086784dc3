/**
 * Counts the time of a run's own commands, setup and agent, and calls back once it exceeds `seconds`. What the service
 * does in between, such as writing files or waiting for its database, is not the run's time.
 */
export function createClock(seconds: number, onOver: () => void) {
  let leftMs = seconds * 1000
  let timer: NodeJS.Timeout | undefined
  let startedAt = 0
  const stop = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    leftMs -= performance.now() - startedAt
  }
  return {
    /** Starts counting. Returns the function that stops it. */
    start() {
      stop()
      startedAt = performance.now()
      timer = setTimeout(onOver, Math.max(0, leftMs))
      return stop
    },
    // A forgotten timer would keep the run in memory for its whole time.
    stop,
  }
}
