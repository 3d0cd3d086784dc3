import { readFile } from 'node:fs/promises'

import { afterAll, expect, test } from 'vitest'

import { endQueuedRuns } from '#client/testing/end-queued-runs.ts'
import { startClient } from '#client/testing/start-client.ts'

const client = await startClient()
afterAll(() => client.close())

/** Words as a shell splits them: quotes join words. */
const wordsOf = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

/** The commands of the document's blocks, in its order. */
const commandsOf = (text: string) =>
  [...text.matchAll(/```sh\n(.*?)```/gs)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => line.startsWith('assay '))

test('every command of docs/cli.md works, one after the other', async () => {
  const commands = commandsOf(await readFile('docs/cli.md', 'utf8'))
  expect(commands.length).toBeGreaterThan(15)
  let [run, request] = ['', '']
  for (const line of commands) {
    const words = wordsOf(line.replace('RUN', run).replace('REQUEST', request)).slice(1)
    const { code, error } = await client.assay(words)
    expect([line, code, code === 0 ? '' : error]).toEqual([line, 0, ''])
    if (words[0] !== 'submit') continue
    await endQueuedRuns(client.platform, ({ agent }) => agent === 'careful')
    const [newest] = JSON.parse((await client.assay(['runs', '--limit', '1', '--json'])).out).runs
    ;[run, request] = [newest.runId, newest.runRequestId]
  }
})
