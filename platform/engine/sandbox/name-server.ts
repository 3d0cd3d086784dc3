import type { Socket as DatagramSocket } from 'node:dgram'

import type { NamedHost, NamedHosts } from '#platform/ground/egress/named-hosts.ts'
import { answerTo, readQuestion, typeA } from './dns-message.ts'
import type { Place } from './listen-inside.ts'

/** Queries of one command that are answered in a second. */
const maxPerSecond = 500

/** Listening sockets of the named hosts of one command. */
const maxListeners = 256

type Options = {
  names: NamedHosts
  /** Listens at these places, and calls back with the error of each place where that failed. */
  listen: (hosts: readonly ListeningHost[]) => Promise<void>
}

/** `failed` has the code of the error for each port where nothing listens. */
export type ListeningHost = { host: NamedHost; failed: Map<number, string> }

export const placesOf = ({ address, ports }: NamedHost): Place[] =>
  ports.map((port) => ({ protocol: 'tcp', address, port }))

/**
 * Answers the queries of a command. No query leaves the machine: a name gets an address of this network, where its
 * ports listen from the first time that the command asks for it. So a run loses no port to a host that it never looks up.
 */
export function serveNames(socket: DatagramSocket, { names, listen }: Options) {
  const known = new Map<NamedHost, Promise<boolean>>()
  let waiting = new Array<ListeningHost>()
  let listening: Promise<void> | null = null
  let listeners = 0

  /** The names that arrive while others are opened are opened together. */
  const listenToWaiting = async () => {
    const hosts = waiting
    waiting = []
    listening = null
    await listen(hosts)
  }
  let last = Promise.resolve()
  const open = async (host: NamedHost) => {
    if (listeners + host.ports.length > maxListeners) {
      names.refused(host.name, 0, 'The run looked up too many names with too many ports.')
      return false
    }
    listeners += host.ports.length
    const entry: ListeningHost = { host, failed: new Map() }
    waiting.push(entry)
    listening ??= last = last.catch(() => {}).then(listenToWaiting)
    await listening
    for (const [port, code] of entry.failed) names.refused(host.name, port, whyFailed(port, code))
    return entry.failed.size < host.ports.length
  }

  const notOpened = ({ name }: NamedHost) => {
    names.refused(name, 0, 'The worker could not open ports for this host.')
    return false
  }

  const addressOf = async (name: string) => {
    const host = names.find(name)
    if (!host) return { status: 'unknown' as const }
    const isOpen = known.get(host) ?? open(host).catch(() => notOpened(host))
    known.set(host, isOpen)
    return (await isOpen) ? { status: 'found' as const, address: host.address } : { status: 'failed' as const }
  }

  let second = 0
  let answered = 0
  const answer = async (packet: Buffer, port: number, address: string) => {
    const now = Math.floor(performance.now() / 1000)
    answered = now === second ? answered + 1 : 1
    second = now
    const question = answered > maxPerSecond ? null : readQuestion(packet)
    if (!question) return
    const found = question.type === typeA ? await addressOf(question.name) : { status: 'found' as const }
    // It may have been closed meanwhile, and a command may close its own side.
    try {
      socket.send(answerTo(question, found), port, address, () => {})
    } catch {}
  }
  socket.on('error', () => {})
  socket.on('message', (packet, { port, address }) => void answer(packet, port, address))
}

const whyFailed = (port: number, code: string) =>
  code === 'EADDRINUSE'
    ? `A server of the run already listens on port ${port} of all its addresses.`
    : `Port ${port} cannot be opened inside: ${code}.`
