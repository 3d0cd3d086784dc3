import { Socket as DatagramSocket } from 'node:dgram'
import { Server } from 'node:net'

import { messageOf } from '#contract/wire/message-of.ts'
import { processStarter } from '#platform/ground/processes/process-starter.ts'
import { untilClosed } from '#platform/ground/processes/started-process.ts'
import { killProcess } from './kill-process.ts'

/** Where a socket listens in a network. */
export type Place = { protocol: 'tcp' | 'udp'; address: string; port: number }

/** A listening socket, or the code of the error, such as EADDRINUSE. */
export type Listener = Server | DatagramSocket | string

const startMs = 20_000

/** Normally the service ends this process much sooner. If the service is killed at the wrong moment, only this limit does. */
const maxLifeMs = 2 * startMs

/** Runs inside the network: listens, hands each listening socket to the service, and ends. */
const program = `
const { createServer } = require('node:net')
const { createSocket } = require('node:dgram')
process.on('disconnect', () => process.exit())
// Node emits no event if the service ends while a socket is on its way to it.
setInterval(() => process.connected || process.exit(), 100)
setTimeout(process.exit, ${maxLifeMs})
process.argv.slice(1).forEach((place, index) => {
  const [protocol, address, port] = place.split(' ')
  const socket = protocol === 'udp' ? createSocket('udp4') : createServer()
  const report = (more, handle) => process.send({ index, ...more }, handle)
  socket.once('error', ({ code }) => report({ error: code }))
  if (protocol === 'udp') socket.bind(Number(port), address, () => report({}, socket))
  else socket.listen(Number(port), address, () => report({}, socket))
})`

type Options = {
  signal?: AbortSignal | undefined
  /** Called for each place, before the socket receives anything. */
  onListener: (place: Place, listener: Listener) => void
}

type Message = { index: number; error?: string }

/**
 * Listens in the network that `start` enters, a command line. A listening socket stays in the network that created it,
 * so the service itself receives what arrives there. Throws if the network or its process cannot be created; `onListener`
 * may have been called by then.
 */
export async function listenInside(start: readonly string[], places: readonly Place[], options: Options) {
  const { signal, onListener } = options
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (reason: string) => reject(new Error(`The network of the sandbox could not be created: ${reason}`))
  const stop = () => fail('the command was stopped')
  if (signal?.aborted) {
    stop()
    return promise
  }
  let count = 0
  const take = (sent: unknown, handle: unknown) => {
    const { index, error } = sent as Message
    const place = places[index]
    const isSocket = handle instanceof Server || handle instanceof DatagramSocket
    if (!place) return
    onListener(place, isSocket ? handle : (error ?? 'no socket'))
    count += 1
    if (count === places.length) resolve()
  }
  const texts = places.map(({ protocol, address, port }) => `${protocol} ${address} ${port}`)
  const [command = '', ...args] = [...start, process.execPath, '-e', program, '--', ...texts]
  const { PATH } = process.env
  const starter = await processStarter()
  const child = await starter
    .start({ command, args, env: { PATH }, sendsMessages: true }, take)
    .catch((error: unknown) => {
      fail(messageOf(error))
      return null
    })
  if (!child) return promise
  let stderr = ''
  child.stdout.resume()
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  void untilClosed(child).then(() => fail(stderr.trim().split('\n').at(-1) || 'its process ended'))
  const timer = setTimeout(() => fail('it took too long'), startMs)
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    if (!child.hasExited()) killProcess(child.pid)
  }
}
