import { hostname } from 'node:os'
import { resolve } from 'node:path'

import { whoami } from '#contract/identity.ts'
import { apiCaller } from '#client/api/api-caller.ts'
import { findOrganization } from '#client/api/connection.ts'
import { httpClient } from '#client/api/http-client.ts'
import { type Profile, profilesFile, readProfiles, writeProfiles } from '#client/api/profiles.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Verb, Work } from '#client/work.ts'
import { approveInBrowser } from './approve-in-browser.ts'
import { openDemo } from './open-demo.ts'

export type LoginOptions = { withKey?: true; caFile?: string }

/** The name that the new key has in the list of keys. */
const keyName = () => `assay on ${hostname()}`.slice(0, 100)

/** Gets a key, checks it, and saves it in a profile that only its owner can read. */
export const login =
  (address: string | undefined, options: LoginOptions): Verb =>
  async (work) => {
    const { io, show, options: connection } = work
    const given = new URL(readAddress(address ?? io.env['ASSAY_URL'] ?? 'http://127.0.0.1:4400'))
    const url = given.origin + given.pathname.replace(/\/+$/, '')
    const caFile = options.caFile === undefined ? io.env['ASSAY_CA_FILE'] : resolve(io.folder, options.caFile)
    const key = await getKey(work, { url, caFile, secret: /^#demo=([\w-]+)$/.exec(given.hash)?.[1] }, options)
    const identity = await apiCaller(io, { url, key, caFile }).call(whoami, {})
    const org = connection.org ?? io.env['ASSAY_ORG']
    if (org !== undefined) findOrganization(identity, org)
    const profile: Profile = { url, key, ...(org !== undefined && { org }), ...(caFile !== undefined && { caFile }) }
    const name = connection.profile ?? 'default'
    writeProfiles(io, { current: name, profiles: { ...readProfiles(io).profiles, [name]: profile } })
    const { actor, organizations } = identity
    show(
      { profile: name, url, actor, organizations },
      `Logged in to ${url} as ${actor.name}. Only you can read the key, which is in\n${profilesFile(io)}`,
    )
  }

type Place = { url: string; caFile: string | undefined; secret: string | undefined }

async function getKey(work: Work, { secret, ...place }: Place, { withKey }: LoginOptions) {
  const { io } = work
  if (secret !== undefined) return openDemo(httpClient(io, place.caFile), { ...place, secret, name: keyName() })
  if (!withKey && io.isTerminal) return approveInBrowser(work, { ...place, name: keyName() })
  const pasted = io.isTerminal ? await io.ask('API key: ') : await io.readInput()
  const key = pasted.trim()
  if (/^[\w-]{1,200}$/.test(key)) return key
  throw new CommandError('That is not an API key. Create one under Settings, API keys, and paste it')
}

function readAddress(text: string) {
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])(?![^:/#])/i.test(text)
  const address = /^https?:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  if (URL.canParse(address)) return address
  throw new CommandError(`${text} is not the address of a server`)
}
