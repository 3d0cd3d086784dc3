declare global {
  var benchClock: PageClock
}

type PageClock = {
  /** Resolves when all earlier changes are on the screen. */
  afterPaint: () => Promise<void>
  /** The time from `begin` to the end of the frame in which `isDrawn` becomes true. It must be false before. */
  untilDrawn: (action: () => void, isDrawn?: () => boolean) => Promise<number>
  /** Whether a canvas of the page, not of an icon, has any content. */
  hasInk: () => boolean
  /**
   * The time from the start of the page to its first drawn canvas, or element of another selector, and the time that long tasks blocked it.
   */
  firstLook: (at: string) => Promise<{ drawnMs: number; blockedMs: number }>
}

/**
 * Runs in every page before its own scripts. It must not refer to other code, because the browser gets its source text.
 */
export function installPageClock() {
  const afterPaint = () =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.addEventListener('message', () => resolve())
        port1.start()
        port2.postMessage(null)
      })
    })
  // A small copy of the canvas. To read every pixel in every frame took most of the time that the page was to have.
  const side = 96
  const copy = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true })
  const isInked = (canvas: HTMLCanvasElement) => {
    if (!copy || canvas.width <= 100 || canvas.height <= 100) return false
    copy.clearRect(0, 0, side, side)
    copy.drawImage(canvas, 0, 0, side, side)
    return copy.getImageData(0, 0, side, side).data.some((value) => value > 0)
  }
  const hasInk = () => [...document.querySelectorAll('canvas')].some(isInked)
  const immediately = () => true
  const untilDrawn = async (action: () => void, isDrawn: () => boolean = immediately) => {
    if (isDrawn !== immediately && isDrawn()) throw new Error('The result was drawn before the action')
    const start = performance.now()
    action()
    do {
      await afterPaint()
      if (performance.now() - start > 60_000)
        throw new Error(`The result was not drawn within a minute: ${document.body.innerText}`)
    } while (!isDrawn())
    return performance.now() - start
  }
  const blocking: { at: number; ms: number }[] = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) blocking.push({ at: startTime, ms: duration - 50 })
  }).observe({ type: 'longtask', buffered: true })
  const firstLook = async (at: string) => {
    const isDrawn = () => (at === 'canvas' ? hasInk() : document.querySelector(at) !== null)
    while (!isDrawn()) {
      await afterPaint()
      if (performance.now() > 60_000) throw new Error(`Nothing was drawn within a minute: ${document.body.innerText}`)
    }
    const drawnMs = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { drawnMs, blockedMs: blocking.reduce((sum, { ms }) => sum + ms, 0) }
  }
  globalThis.benchClock = { afterPaint, untilDrawn, hasInk, firstLook }
}
