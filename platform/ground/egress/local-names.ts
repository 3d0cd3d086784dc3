import { isIP } from 'node:net'

/** Whether the name always leads to the machine itself (RFC 6761). */
export const isLocalName = (host: string) => host === 'localhost' || host.endsWith('.localhost')

/** Whether the host of a URL, with or without brackets, is the machine itself: `localhost` or a loopback address. */
export function isLoopbackHost(host: string) {
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}
