import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import { z } from 'zod'

import { CommandError } from '#client/exit-codes.ts'
import type { Io } from '#client/io.ts'

/** `org` is the slug of the organization that commands use; `caFile` has the certificates of a private authority. */
const Profile = z.object({
  url: z.string(),
  key: z.string(),
  org: z.string().optional(),
  caFile: z.string().optional(),
})
export type Profile = z.infer<typeof Profile>

const Profiles = z.object({ current: z.string(), profiles: z.record(z.string(), Profile) })
type Profiles = z.infer<typeof Profiles>

/** The file with the keys of this person. */
export function profilesFile({ env }: Pick<Io, 'env'>) {
  const folder =
    env['ASSAY_CONFIG_DIR'] ?? join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'assay')
  return join(folder, 'profiles.json')
}

export function readProfiles(io: Pick<Io, 'env'>): Profiles {
  const file = profilesFile(io)
  const text = readPrivately(file)
  if (text === null) return { current: 'default', profiles: {} }
  try {
    return Profiles.parse(JSON.parse(text))
  } catch {
    throw new CommandError(`${file} is not a file of profiles. Delete it and log in again`)
  }
}

/** Renamed into place, so that no other program reads half a file, nor a file that others may read. */
export function writeProfiles(io: Pick<Io, 'env'>, profiles: Profiles) {
  const file = profilesFile(io)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, file)
}

/** Null without the file. Refuses a file that other people of the machine can read, as ssh does. */
function readPrivately(file: string) {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new CommandError(`Other people can read ${file}, which has API keys. Run: chmod 600 ${file}`)
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CommandError) throw error
    return null
  }
}
