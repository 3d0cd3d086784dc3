import { z } from 'zod'

const label = '[a-z0-9]([a-z0-9-]*[a-z0-9])?'
const hostName = `${label}(\\.${label})*\\.?`
const allowed = new RegExp(
  `^(?<host>(\\*\\.)?${hostName}|\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+\\])(:(?<port>\\d{1,5}))?$`,
  'i',
)

/** A host that a run may reach. Without a port it allows ports 80 and 443. `*.` matches one or more labels. */
export type AllowedHost = { host: string; isWildcard: boolean; port: number | null }

/** Parses `api.example.com`, `*.example.org:443`, `203.0.113.5` or `[2001:db8::1]:443`. Returns null for other text. */
export function parseAllowedHost(text: string): AllowedHost | null {
  const { host = '', port } = allowed.exec(text)?.groups ?? {}
  const number = port === undefined ? null : Number(port)
  if (host === '' || host.length > 253 || number === 0 || (number ?? 1) > 65_535) return null
  const isWildcard = host.startsWith('*.')
  return { host: host.toLowerCase().replace(/^\*\./, '').replace(/\.$/, ''), isWildcard, port: number }
}

export const AllowedHostText = z
  .string()
  .max(300)
  .refine((text) => parseAllowedHost(text) !== null, {
    error:
      'must be a host name such as api.example.com, *.example.org or api.example.com:8443, without a scheme or path',
  })

/** The network of an environment: nothing, every public address, or the listed hosts. */
export const NetworkPolicy = z.union([
  z.boolean(),
  z.strictObject({
    allow: z
      .array(AllowedHostText)
      .min(1)
      .max(200)
      .describe(
        'Hosts that runs may reach: api.example.com, *.example.org or host:port. Default ports: 80 and 443. Programs that use no proxy reach them by name, at these ports.',
      ),
  }),
])
export type NetworkPolicy = z.infer<typeof NetworkPolicy>
