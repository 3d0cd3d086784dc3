import type { Socket } from 'node:net'

import { authorityOf, type Destination } from './destination.ts'

/** What a run exchanged with one host and port. `refusedBecause` is the reason of the last refusal. */
export type HostTraffic = {
  host: string
  port: number
  connections: number
  bytesUp: number
  bytesDown: number
  refusals: number
  refusedBecause: string | null
}

const maxHosts = 500

/** Everything beyond the first 500 hosts is counted under this name. */
const others: Destination = { host: 'others', port: 0 }

/** Counts the traffic of one run by host and port. */
export function createNetworkRecord() {
  const hosts = new Map<string, HostTraffic>()
  const samplers = new Set<() => void>()
  const trafficOf = (destination: Destination): HostTraffic => {
    const key = authorityOf(destination)
    const known = hosts.get(key)
    if (known) return known
    if (hosts.size >= maxHosts && destination !== others) return trafficOf(others)
    const traffic = { ...destination, connections: 0, bytesUp: 0, bytesDown: 0, refusals: 0, refusedBecause: null }
    hosts.set(key, traffic)
    return traffic
  }
  return {
    /** Counts a connection, and from now on its bytes. */
    connected(destination: Destination, socket: Socket) {
      const traffic = trafficOf(destination)
      traffic.connections += 1
      let [up, down] = [socket.bytesWritten, socket.bytesRead]
      const sample = () => {
        traffic.bytesUp += socket.bytesWritten - up
        traffic.bytesDown += socket.bytesRead - down
        ;[up, down] = [socket.bytesWritten, socket.bytesRead]
      }
      samplers.add(sample)
      socket.once('close', () => {
        sample()
        samplers.delete(sample)
      })
    },
    refused(destination: Destination, reason: string) {
      const traffic = trafficOf(destination)
      traffic.refusals += 1
      traffic.refusedBecause = reason
    },
    hosts(): HostTraffic[] {
      for (const sample of samplers) sample()
      return Array.from(hosts.values(), (traffic) => ({ ...traffic }))
    },
  }
}
