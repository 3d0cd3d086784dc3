import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Runs operator's commands in a server, as the CLI does, and returns the lines of each. Throws if no answer arrives
 * within `patienceMs`.
 */
export function openCommands(dataFolder: string, port: number, patienceMs = 20_000) {
  return async (name: string, input: object): Promise<string[]> => {
    const { token } = JSON.parse(await readFile(join(dataFolder, 'operator.json'), 'utf8')) as { token: string }
    const response = await fetch(`http://127.0.0.1:${port}/operator/commands`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ command: name, input }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const last = (await response.text()).trim().split('\n').at(-1) ?? ''
    const event = JSON.parse(last) as { kind: string; lines?: string[]; message?: string }
    if (event.kind !== 'result') throw new Error(event.message)
    return event.lines ?? []
  }
}

export type Command = ReturnType<typeof openCommands>

/** An organization with credit. Returns the key of its admin. */
export async function createLab(command: Command) {
  await command('org create', { slug: 'lab' })
  const person = { organizations: ['lab'], email: 'a@lab.example', role: 'admin', kind: 'personal' }
  const [key = ''] = await command('key create', person)
  await command('credits grant', { org: 'lab', usd: '100000.00', reference: 'start' })
  return key
}
