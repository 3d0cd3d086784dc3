import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { NetworkPolicy } from './network-policy.ts'

const count = z.int().min(0)

/**
 * `port` is 0 for a name that could not be looked up, for a request that named none, and for "others", which counts all
 * hosts after the first 500.
 */
export const HostTraffic = z.object({
  attempt: z.int().min(1),
  host: z.string(),
  port: z.int().min(0),
  connections: count,
  bytesUp: count,
  bytesDown: count,
  refusals: count,
  refusedBecause: z.string().optional(),
})
export type HostTraffic = z.infer<typeof HostTraffic>

export const RunNetwork = z.object({ policy: NetworkPolicy, hosts: z.array(HostTraffic) })
export type RunNetwork = z.infer<typeof RunNetwork>

export const getRunNetwork = endpoint({
  name: 'network.get',
  method: 'GET',
  path: '/runs/:id/network',
  summary: 'Get what a run reached over the network, and what it was refused',
  response: RunNetwork,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
