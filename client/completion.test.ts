import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { beforeAll, expect, test } from 'vitest'

import type { Io } from './io.ts'
import { commandNames, runClient } from './run-client.ts'

const run = promisify(execFile)

async function scriptFor(shell: string) {
  let script = ''
  const io: Partial<Io> = { env: {}, out: (text) => void (script += text), columns: { out: null, error: null } }
  await runClient(['completion', shell], io as Io)
  return script
}

/** Has a file and a folder named as a command is. */
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-completion-'))
  await mkdir(join(folder, 'runs'))
  await writeFile(join(folder, 'experiment.yaml'), '')
})

/** What the shell offers for a line whose last word is not finished. */
const offers: Record<string, (line: string) => Promise<string[]>> = {
  async bash(line) {
    const words = line.split(' ')
    const script = `${await scriptFor('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['-c', script], { cwd: folder })
    return stdout.split('\n').filter((word) => word !== '')
  },
  async fish(line) {
    const script = `${await scriptFor('fish')}\ncomplete -C '${line}'`
    const { stdout } = await run('fish', ['--no-config', '-c', script], { cwd: folder })
    return stdout.split('\n').flatMap((found) => found.split('\t')[0] || [])
  },
}

const isInstalled = (shell: string) =>
  run(shell, ['-c', 'exit 0']).then(
    () => true,
    () => false,
  )

test.for(['bash', 'fish'])('%s completes commands, options, their only values, and files', async (shell, { skip }) => {
  if (!(await isInstalled(shell))) skip(`${shell} is not installed`)
  const offered = offers[shell] ?? (async () => [])
  expect(await offered('assay ')).toEqual(expect.arrayContaining([...commandNames(), 'help']))
  expect(await offered('assay ')).not.toContain('experiment.yaml')
  expect(await offered('assay ru')).toEqual(['runs'])
  expect((await offered('assay submit --mo')).toSorted()).toEqual(['--mock', '--model'])
  expect((await offered('assay export --format ')).toSorted()).toEqual(['archive', 'csv', 'ndjson', 'parquet'])
  expect(await offered('assay runs --status que')).toEqual(['queued'])
  expect((await offered('assay completion ')).toSorted()).toEqual(['bash', 'fish', 'zsh'])
  expect(await offered('assay report ')).toEqual(['append'])
  expect(await offered('assay help wh')).toEqual(['whoami'])
  expect(await offered('assay push exp')).toEqual(['experiment.yaml'])
})

test('the script for zsh has every command and option with its description, and is valid', async ({ skip }) => {
  const script = await scriptFor('zsh')
  for (const name of commandNames()) expect(script).toContain(`'${name}:`)
  expect(script).toContain("'--watch:watch the runs until all have ended")
  expect(script).toContain("'ci:judge a change in a pipeline\\: push")
  expect(script).toContain("'export --format') compadd -- csv ndjson parquet archive; return")
  if (!(await isInstalled('zsh'))) skip('zsh is not installed')
  await run('zsh', ['-fnc', script])
})
