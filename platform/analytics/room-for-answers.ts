/**
 * Lets a few large answers into the memory of this process at once, whichever organizations they are of; each is 16 MB at
 * most, a chart's 64. The others wait in their engines, in the order they came.
 */
const atOnce = 4

const waiting: (() => void)[] = []
let inside = 0

/** Runs `take` when there is room, and frees the room when it has settled. */
export async function whenThereIsRoom<T>(take: () => Promise<T>): Promise<T> {
  if (inside === atOnce) await new Promise<void>((enter) => waiting.push(enter))
  else inside += 1
  try {
    return await take()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else inside -= 1
  }
}
