import { Agent, type Dispatcher, ProxyAgent } from 'undici'

import { pinAddresses } from '#platform/ground/egress/pin-addresses.ts'
import { UpstreamFailure } from './call-upstream.ts'

/** Returns the addresses of a host that a definition chose, or throws a reason why runs may not reach it. */
export type CheckAddress = (host: string, port: number) => Promise<readonly string[]>

const connections = { connectTimeout: 20_000, pipelining: 1, allowH2: false }

/** Whose address a call goes to. */
export type AddressOwner = 'definition' | 'operator' | 'provider'

type Ways = {
  checkAddress: CheckAddress
  /** The only way out of this machine, if it has one. It is not used for the operator's own addresses. */
  proxy: URL | null
}

/**
 * Opens the connections of a gateway to model servers. An address of a definition is checked for every call, and only
 * the checked addresses are dialed, so that a name cannot lead elsewhere after its check.
 */
export function openDispatchers({ checkAddress, proxy }: Ways) {
  const direct = new Agent(connections)
  const outside = proxy === null ? direct : new ProxyAgent({ ...connections, uri: proxy.href })
  return {
    async dispatcherFor({ url, owner }: { url: string; owner: AddressOwner }): Promise<Dispatcher> {
      if (owner === 'operator') return direct
      if (owner === 'provider') return outside
      const { hostname, port, protocol } = new URL(url)
      const addresses = await checkAddress(hostname, Number(port || (protocol === 'https:' ? 443 : 80))).catch(
        (error: unknown) => {
          throw new UpstreamFailure(
            `Runs may not reach the model server ${hostname}: ${error instanceof Error ? error.message : 'unknown'}`,
            { blame: 'definition' },
          )
        },
      )
      if (proxy !== null) return outside
      return new Agent({ ...connections, connect: { lookup: pinAddresses(addresses) }, keepAliveTimeout: 1 })
    },
    async close() {
      await direct.destroy()
      await outside.destroy()
    },
  }
}
