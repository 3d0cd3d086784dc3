import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Forwards connections to a port of this machine, and can cut them or delay what they carry. */
export async function startTcpProxy(port: number, targetPort: number) {
  const sockets = new Set<Socket>()
  let delayMs = 0

  function forward(from: Socket, to: Socket) {
    let sent = Promise.resolve()
    // One after another, so that a delay that ends changes no order.
    const later = (act: () => void) => {
      const due = performance.now() + delayMs
      sent = sent.then(() => wait(due)).then(act)
    }
    from.on('data', (chunk) => {
      from.pause()
      later(() => {
        if (to.destroyed || to.write(chunk)) from.resume()
        else to.once('drain', () => from.resume())
      })
    })
    from.on('end', () => later(() => to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      later(() => to.destroy())
    })
    sockets.add(from)
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ host: '127.0.0.1', port: targetPort, allowHalfOpen: true })
    forward(client, target)
    forward(target, client)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port,
    /** Resets each connection with this probability. */
    cut(probability: number, random: () => number) {
      for (const socket of sockets) if (random() < probability) socket.resetAndDestroy()
    },
    /** Delays each chunk from now on; 0 ends it. */
    slow(milliseconds: number) {
      delayMs = milliseconds
    },
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

async function wait(due: number) {
  const left = due - performance.now()
  if (left > 1) await delay(left)
}
