import type { HostTraffic } from '#contract/network.ts'

/** Host and port as people write them. Port 0 means that there is none. */
export function hostAndPort({ host, port }: Pick<HostTraffic, 'host' | 'port'>): string {
  if (port === 0) return host
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
