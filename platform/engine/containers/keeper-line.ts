import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { createFrameReader } from '#platform/engine/containers/engine/stream-frames.ts'

/** The connection to a container's keeper. The container ends when it closes, even after `kill -9` of this service. */
export type KeeperLine = {
  /** Aborts when the connection has closed. */
  closed: AbortSignal
  /** Lets the keeper kill every other process of its container, and returns whether it answered. */
  killAll: () => Promise<boolean>
  close: () => void
}

const answerMs = 5000

export async function openKeeperLine(engine: EngineClient, id: string): Promise<KeeperLine> {
  const { socket, head } = await engine.hijack({
    method: 'POST',
    path: `/containers/${id}/attach`,
    query: { stream: 'true', stdin: 'true', stdout: 'true' },
  })
  const closing = new AbortController()
  const closed = closing.signal
  const read = createFrameReader()
  let asked = 0
  let answered = 0
  const waiting = new Set<() => void>()
  const receive = (chunk: Buffer) => {
    for (const { bytes } of read(chunk)) answered += bytes.byteLength
    for (const check of waiting) check()
  }
  receive(head)
  socket.on('data', receive)
  socket.on('error', () => {})
  for (const event of ['end', 'close']) socket.once(event, () => closing.abort())

  return {
    closed,
    async killAll() {
      if (closed.aborted) return false
      asked += 1
      const count = asked
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const check = () => answered >= count && resolve(true)
      const giveUp = () => resolve(false)
      const timer = setTimeout(giveUp, answerMs)
      closed.addEventListener('abort', giveUp, { once: true })
      waiting.add(check)
      socket.write('k')
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        closed.removeEventListener('abort', giveUp)
        waiting.delete(check)
      }
    },
    close: () => socket.destroy(),
  }
}
