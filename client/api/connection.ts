import { whoami, type WhoAmI } from '#contract/identity.ts'
import type { Io } from '#client/io.ts'
import { CommandError } from '#client/exit-codes.ts'
import { type ApiCaller, apiCaller } from './api-caller.ts'
import { type Profile, readProfiles } from './profiles.ts'

/** What people choose on every command. */
export type ConnectionOptions = { profile?: string; org?: string; url?: string }

/**
 * The server and the key of a command: those of ASSAY_URL and ASSAY_API_KEY, or those of a profile. A key never goes to the
 * address of another place.
 */
function findPlace(io: Pick<Io, 'env'>, { profile, url }: ConnectionOptions): Profile {
  const { ASSAY_API_KEY: key, ASSAY_URL: sentUrl = url, ASSAY_ORG: org, ASSAY_CA_FILE: caFile } = io.env
  if (key && profile === undefined) {
    if (!sentUrl)
      throw new CommandError('ASSAY_API_KEY is set, but ASSAY_URL is not. Set it to the address of the server')
    return { url: sentUrl, key, org, caFile }
  }
  const { current, profiles } = readProfiles(io)
  const name = profile ?? io.env['ASSAY_PROFILE'] ?? current
  const found = profiles[name]
  if (!found) throw new CommandError(`Not logged in${name === 'default' ? '' : ` as ${name}`}. Run: assay login`)
  return { ...found, org: org ?? found.org, caFile: caFile ?? found.caFile }
}

/** A caller of the API for the organization that the command chose, or for the only one of the key. */
export const connect = (io: Pick<Io, 'env'>, options: ConnectionOptions): Promise<ApiCaller> =>
  connectTo(io, findPlace(io, options), options)

/** As `connect`, with a key that somebody else sends. Without an address, it is the server of the command's own key. */
export function connectAs(io: Pick<Io, 'env'>, key: string, options: ConnectionOptions): Promise<ApiCaller> {
  const { ASSAY_URL: url = options.url, ASSAY_ORG: org, ASSAY_CA_FILE: caFile } = io.env
  return connectTo(
    io,
    url && !options.profile ? { url, key, org, caFile } : { ...findPlace(io, options), key },
    options,
  )
}

async function connectTo(io: Pick<Io, 'env'>, { org, ...place }: Profile, options: ConnectionOptions) {
  const wanted = options.org ?? org
  const caller = apiCaller(io, place)
  if (wanted === undefined) return caller
  const { id } = findOrganization(await caller.call(whoami, {}), wanted)
  return apiCaller(io, { ...place, orgId: id })
}

export function findOrganization({ organizations }: WhoAmI, wanted: string) {
  const found = organizations.find(({ id, slug }) => id === wanted || slug === wanted)
  if (found) return found
  throw new CommandError(
    `This key has no access to the organization ${wanted}. It has access to: ${organizations.map(({ slug }) => slug).join(', ') || 'none'}`,
  )
}
