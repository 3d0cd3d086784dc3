import { CommandError } from '#client/exit-codes.ts'
import type { Work } from '#client/work.ts'

/** A person approves a key for this machine in the browser. */
export async function approveInBrowser({ io, note }: Work, { url }: { url: string; name: string }): Promise<string> {
  note(`Create a key at ${url}/settings/keys?new=1`)
  io.openBrowser(`${url}/settings/keys?new=1`)
  const key = (await io.ask('API key: ')).trim()
  if (/^[\w-]{1,200}$/.test(key)) return key
  throw new CommandError('That is not an API key. Create one under Settings, API keys, and paste it')
}
