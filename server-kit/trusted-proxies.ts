import { z } from 'zod'

const proxy = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

function faultOf(entry: string) {
  if (!proxy.safeParse(entry).success)
    return `must be addresses or ranges such as 10.1.0.0/16, separated by commas, not ${entry}`
  return entry.endsWith('/0') ? `must not be every address, as ${entry} is: anybody could claim any address` : null
}

/**
 * TRUSTED_PROXIES: the proxies on other machines that may name the caller's address. A caller at such an
 * address can claim any other address.
 */
export const trustedProxies = z
  .string()
  .default('')
  .transform((text, check) => {
    const entries = text.split(/[,\s]+/).filter((entry) => entry !== '')
    const message = entries.map(faultOf).find((fault) => fault !== null)
    if (message === undefined) return entries
    check.addIssue({ code: 'custom', message })
    return z.NEVER
  })
