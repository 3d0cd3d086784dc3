import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { isTerminal, type RunStatus } from '#contract/run-status.ts'

type Program = { platformUrl: string; key: string; dataFolder: string }

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const secret = 'a\r\nb0":1,<hunter2'

/** What hostile or busy members, strangers and agents do, by name. Each resolves when the platform has done it. */
export async function eventLoopWork(program: Program): Promise<Record<string, () => Promise<unknown>>> {
  const { api, send } = clientOf(program)
  await api('PUT', '/secrets/door', { value: secret })
  const agentRun =
    (script: string, more: object = {}) =>
    () =>
      runAgent(api, script, more)
  return {
    'a push of 100,000 open brackets': () =>
      send('POST', '/api/v1/experiments', JSON.stringify({ experiment_yaml: `k: [a${'['.repeat(100_000)}` })),
    'JSON with 430,000 fields to join': () => send('POST', '/admin/v1/invitation/join', manyFields),
    'JSON with 430,000 fields to a query': () => send('POST', '/api/v1/query/execute', manyFields),
    'a run that changes 1,500 files, and its patch': async () => {
      const id = await runAgent(api, change(1500), { setup: { commands: [['sh', '-c', make(1500)]] } })
      await send('GET', `/api/v1/runs/${encodeURIComponent(id)}/changes/download?format=patch`)
    },
    'an agent that prints 100 MB of empty lines': agentRun(emptyLines),
    'an agent with a secret that prints 100 MB of empty lines': agentRun(emptyLines, withSecret),
    'an agent that prints a line of 15 MB of JSON': agentRun(longLine, { agentFormat: 'claude-stream-json' }),
    'a TAP report of 16 MB beside a secret': agentRun('true', { ...withSecret, ...tapReport }),
    'an agent that leaves 500,000 files': agentRun(manyFiles),
    'an agent that does all of this': agentRun(`${emptyLines}; ${longLine}; ${manyFiles}`, withSecret),
    'twenty runs': () => Promise.all(Array.from({ length: 20 }, agentRun('true'))),
    'an import of a recording of 600 kB with returns': () => importRecording(program, 1, 600_000),
    'an import of 3,600 results': () => importRecording(program, 3600, 2000),
    'a mock submit of 10,000 runs, and its cancel': () => submitAndCancel(api),
    'an export of all runs to a fast reader': () => send('GET', '/api/v1/runs/export?format=csv'),
  }
}

const emptyLines = `printf 6; yes '' | head -c 100000000`
const longLine = `printf '{"type":"x","a":['; yes '{},' | tr -d '\\n' | head -c 15000000; printf '0]}\\n'`
const manyFiles = `mkdir many && cd many && seq 500000 | xargs -n 10000 touch && cd ..`
const make = (files: number) => `for f in $(seq ${files}); do seq 1 200 > file$f.txt; done`
const change = (files: number) => `for f in $(seq ${files}); do seq 3 3 900 > file$f.txt; done`
const manyFields = JSON.stringify(Object.fromEntries(Array.from({ length: 430_000 }, (_, at) => [`f${at}`, at])))
const withSecret = { environments: [{ id: 'e', env: { DOOR: 'assay://secrets/door' } }] }
const tapReport = {
  tests: [
    { name: 't', command: ['sh', '-c', `echo 1..1; yes 'ok 0 a' | head -c 15900000`], report: { format: 'tap' } },
  ],
}

type Api = ReturnType<typeof clientOf>['api']

function clientOf({ platformUrl, key }: Program) {
  /** In a process of its own, so that reading a large answer does not slow the measuring down. */
  const send = async (method: string, path: string, body?: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-event-loop-'))
    if (body !== undefined) await writeFile(join(folder, 'body'), body)
    const sent = body === undefined ? [] : ['--data-binary', `@${folder}/body`, '-H', 'content-type: application/json']
    const headers = ['-H', `authorization: Bearer ${key}`]
    await run('curl', ['-s', '-o', '/dev/null', '-X', method, ...headers, ...sent, `${platformUrl}${path}`])
    await rm(folder, { recursive: true })
  }
  const api = async (method: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${platformUrl}/api/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(body) ?? null,
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  return { api, send }
}

let experimentCount = 0

/** Runs an agent that is a shell script, and returns the id of its run when it has ended. */
async function runAgent(api: Api, script: string, more: object): Promise<string> {
  const id = `agent-${(experimentCount += 1)}`
  const { agentFormat = 'text', ...definition } = more as { agentFormat?: string }
  const agents = [{ id: 'a', command: ['sh', '-c', script], transcript: agentFormat }]
  await api('POST', '/experiments', { experiment_yaml: JSON.stringify({ id, name: id, agents, ...definition }) })
  const { runRequestId } = await api('POST', `/experiments/${id}/runs`, {})
  for (;;) {
    const { runs } = await api('GET', `/runs?run_request_id=${runRequestId}`)
    const [found] = runs as { id: string; status: RunStatus; statusReason?: string }[]
    if (found && isTerminal(found.status)) {
      if (found.statusReason) process.stdout.write(`${found.status}: ${found.statusReason.slice(0, 300)}\n`)
      return found.id
    }
    await delay(200)
  }
}

async function submitAndCancel(api: Api) {
  const { runRequestId } = await api('POST', '/experiments/bench-0/runs', { mock: true, repeat: 100 })
  await api('POST', `/runs/${runRequestId}/cancel`)
}

/** Imports a run directory of Terminal-Bench with this many trials, each with a recording of this size. */
async function importRecording({ dataFolder }: Program, trials: number, bytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-event-loop-'))
  const names = Array.from({ length: trials }, (_, index) => `task-${index}`)
  const results = names.map((task) => ({ trial_name: `${task}.1-of-1`, task_id: task, is_resolved: true }))
  const directory = join(folder, `20250801_agent${trials}_model`, 'run1')
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'results.json'), JSON.stringify({ id: `run-${trials}`, results }))
  for (const [index, trial] of results.entries()) {
    const own = join(directory, names[index] ?? '', trial.trial_name)
    await mkdir(join(own, 'sessions'), { recursive: true })
    await writeFile(join(own, 'results.json'), JSON.stringify(trial))
    await writeFile(join(own, 'sessions', 'agent.log'), 'a\r'.repeat(bytes / 2))
  }
  const command = [
    'tools/assay.mjs',
    'admin',
    'import',
    'terminal-bench',
    folder,
    '--org',
    'lab',
    '--experiment',
    `i-${trials}`,
  ]
  const env = { ...process.env, DATA_DIR: dataFolder }
  const { stdout } = await run(process.execPath, command, { cwd: root, env, maxBuffer: 2 ** 26 })
  process.stdout.write(`${stdout.split('\n')[0]}\n`)
  await rm(folder, { recursive: true })
}
