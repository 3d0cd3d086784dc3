/**
 * Allows only a few large answers in this process's memory at once, over all organizations. Each is at most 16 MB, a
 * chart's at most 64 MB. The others wait in their engines, in order of arrival.
 */
const atOnce = 4

const waiting: (() => void)[] = []
let inside = 0

/** Runs `take` when there is room, and frees the room when it has settled. */
export async function withMemorySlot<T>(work: () => Promise<T>): Promise<T> {
  if (inside === atOnce) await new Promise<void>((enter) => waiting.push(enter))
  else inside += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else inside -= 1
  }
}
