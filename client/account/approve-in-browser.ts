import { createHash, randomBytes } from 'node:crypto'

import { showApproval } from '#contract/api-keys.ts'
import { apiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Work } from '#client/work.ts'

const pollMs = 2000
const patienceMs = 600_000

type Place = { url: string; caFile: string | undefined; name: string }

/**
 * Makes a key that a person approves in the browser, here or on another machine. The key is sent to its own server only;
 * the address that the browser opens has its SHA-256.
 */
export async function approveInBrowser({ io, note }: Work, { name, ...place }: Place): Promise<string> {
  const key = `assay_${randomBytes(32).toString('base64url')}`
  const prefix = key.slice(0, 12)
  const hash = createHash('sha256').update(key).digest('hex')
  const page = `${place.url}/settings/keys?${new URLSearchParams({ approve: hash, prefix, name })}`
  const caller = apiCaller(io, { ...place, key })
  for (let waited = 0; waited < patienceMs; waited += pollMs) {
    if ((await caller.call(showApproval, {})).isApproved) return key
    // Only once the server has answered: a page that is not there would ask for nothing.
    if (waited === 0) {
      note(`Approve the key ${prefix}… in your browser, which opens this page:\n${page}`)
      io.openBrowser(page)
    }
    await io.wait(pollMs)
  }
  throw new CommandError('Nobody approved the key within ten minutes. Run assay login again')
}
