import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { isTerminal, type RunStatus } from '#contract/run-status.ts'

type Program = { platformUrl: string; key: string; dataFolder: string }

/** 204,000 are what a busy year leaves. */
export const seededRuns = Number(process.env['SEEDED_RUNS'] ?? 20_000)

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const secret = 'a\r\nb0":1,<hunter2'
const shortSecret = 'ok 0 a\n1'

type Work = Record<string, () => Promise<unknown>>

/**
 * What hostile or busy members, strangers and agents do, by name, and a run that others look at. Each resolves when the
 * platform has done it.
 */
export async function eventLoopWork(program: Program): Promise<{ work: Work; watchedRun: string }> {
  const { api, send } = clientOf(program)
  await api('PUT', '/secrets/door', { value: secret })
  await api('PUT', '/secrets/short', { value: shortSecret })
  const watchedRun = await runAgent(api, 'seq 1000', {})
  const agentRun =
    (script: string, more: object = {}) =>
    () =>
      runAgent(api, script, more)
  const assay = (...args: string[]) => runAssay(program, args)
  const sent = (method: string, path: string, body?: string) => () => forAWhile(() => send(method, path, body))
  const work: Work = {
    [`a rebuild of the analytics of ${seededRuns.toLocaleString('en')} runs`]: () => assay('reindex', '--org', 'lab'),
    'a push of 100,000 open brackets': sent('POST', '/api/v1/experiments', openBrackets),
    'JSON with 430,000 fields to join': sent('POST', '/admin/v1/invitation/join', manyFields),
    'JSON with 430,000 fields to a query': sent('POST', '/api/v1/query/execute', manyFields),
    'a published report of 1,400 style rules with 2,000 blanks': async () => {
      const { report } = await api('POST', '/reports', { title: 'Rules' })
      const body = JSON.stringify({ expectedUpdatedAt: report.updatedAt, documentJson: manyRules })
      await forAWhile(() => send('PUT', `/api/v1/reports/${report.id}/publication`, body))
    },
    'a run that changes 1,500 files, and its patch': async () => {
      const id = await runAgent(api, change(1500), { setup: { commands: [['sh', '-c', make(1500)]] } })
      await forAWhile(() => send('GET', `/api/v1/runs/${encodeURIComponent(id)}/changes/download?format=patch`))
    },
    'a run that adds 10,000 files, and its archive': async () => {
      const id = await runAgent(api, addFiles)
      await forAWhile(() => send('GET', `/api/v1/runs/${encodeURIComponent(id)}/changes/download?format=archive`))
    },
    'a run that adds 10,000 files, and its patch': async () => {
      const id = await runAgent(api, addFiles)
      await forAWhile(() => send('GET', `/api/v1/runs/${encodeURIComponent(id)}/changes/download?format=patch`))
    },
    'a push of a package of 10,000 files': () => pushPackage(api, send),
    'an import of 300 task folders': () => importTasks(program, 300),
    'an import of 1,000 problems': () => importProblems(program, 1000),
    'an agent that prints 100 MB of empty lines': agentRun(emptyLines),
    'an agent with a secret that prints 100 MB of empty lines': agentRun(emptyLines, withSecret),
    'an agent that prints a line of 15 MB of JSON': agentRun(longLine, { agentFormat: 'claude-stream-json' }),
    'a TAP report of 16 MB beside a short secret': agentRun('true', { ...withSecret, ...tapReport }),
    'an agent that leaves 500,000 files': agentRun(manyFiles),
    'a run with 100 MB of empty lines, a line of 15 MB and 500,000 files': agentRun(
      `${emptyLines}; ${longLine}; ${manyFiles}`,
      withSecret,
    ),
    'twenty runs': () => Promise.all(Array.from({ length: 20 }, agentRun('true'))),
    'an import of a recording of 600 kB with returns': () => importRecording(program, 1, 600_000),
    'an import of 3,600 results': () => importRecording(program, 3600, 2000),
    'a mock submit of 10,000 runs, and its cancel': () => submitAndCancel(api, { mock: true }),
    'a submit of 10,000 runs, and its cancel': () => submitAndCancel(api, { mock: false }),
    [`an export of ${seededRuns.toLocaleString('en')} runs to a fast reader`]: () =>
      send('GET', '/api/v1/runs/export?format=csv'),
    'a removal of 10,000 runs by retention': () =>
      inFolder(async (folder) => {
        await writeFile(join(folder, 'rules.json'), '{"runs":20}')
        await assay('retention', 'set', '--org', 'lab', '--file', join(folder, 'rules.json'))
        await assay('retention', 'sweep', '--org', 'lab', '--without-grace')
      }),
    'a backup': () => inFolder((folder) => assay('backup', join(folder, 'backup.tgz'))),
  }
  return { work, watchedRun }
}

async function inFolder(work: (folder: string) => Promise<unknown>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-event-loop-'))
  await work(folder)
  await rm(folder, { recursive: true })
}

/** Repeats what is over soon, so that its percentiles are of more than a few answers. */
async function forAWhile(perform: () => Promise<unknown>) {
  const startedAt = performance.now()
  do await perform()
  while (performance.now() - startedAt < 8000)
}

const emptyLines = `printf 6; yes '' | head -c 100000000`
const longLine = `printf '{"type":"x","a":['; yes '{},' | tr -d '\\n' | head -c 15000000; printf '0]}\\n'`
const manyFiles = `mkdir many && cd many && seq 500000 | xargs -n 10000 touch && cd ..`
const addFiles = `mkdir ${'long/'.repeat(20)} -p; cd ${'long/'.repeat(20)}; seq 10000 | xargs touch`
const make = (files: number) => `for f in $(seq ${files}); do seq 1 200 > file$f.txt; done`
const change = (files: number) => `for f in $(seq ${files}); do seq 3 3 900 > file$f.txt; done`
const manyFields = JSON.stringify(Object.fromEntries(Array.from({ length: 430_000 }, (_, at) => [`f${at}`, at])))
const openBrackets = JSON.stringify({ experiment_yaml: `k: [a${'['.repeat(100_000)}` })
const manyRules = JSON.stringify({
  nodes: [{ in: -1, tag: 'p' }],
  rules: Array.from({ length: 1400 }, () => ({ selector: 'p', styles: { position: `static${' '.repeat(1990)}!` } })),
  variables: { light: {}, dark: {} },
})
const withSecret = {
  environments: [{ id: 'e', env: { DOOR: 'assay://secrets/door', SHORT: 'assay://secrets/short' } }],
}
const tapReport = {
  tests: [
    { name: 't', command: ['sh', '-c', `echo 1..1; yes 'ok 0 a' | head -c 15900000`], report: { format: 'tap' } },
  ],
}

type Api = ReturnType<typeof clientOf>['api']

function clientOf({ platformUrl, key }: Program) {
  /** In a process of its own, so that reading a large answer does not slow the measuring down. */
  const send = async (method: string, path: string, body?: string) => {
    await inFolder(async (folder) => {
      if (body !== undefined) await writeFile(join(folder, 'body'), body)
      const sent =
        body === undefined ? [] : ['--data-binary', `@${folder}/body`, '-H', 'content-type: application/json']
      const headers = ['-H', `authorization: Bearer ${key}`]
      await run('curl', ['-s', '-o', '/dev/null', '-X', method, ...headers, ...sent, `${platformUrl}${path}`])
    })
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
async function runAgent(api: Api, script: string, more: object = {}): Promise<string> {
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

async function submitAndCancel(api: Api, kind: { mock: boolean }) {
  const { runRequestId } = await api('POST', '/experiments/bench-0/runs', { ...kind, repeat: 100 })
  await api('POST', `/runs/${runRequestId}/cancel`)
}

/** Imports a run directory of Terminal-Bench with this many trials, each with a recording of this size. */
async function importRecording(program: Program, trials: number, bytes: number) {
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
  await runAssay(program, ['import', folder, '--org', 'lab', '--experiment', `i-${trials}`])
  await rm(folder, { recursive: true })
}

/** Pushes an experiment with a package of the same tar at 10,000 places. */
async function pushPackage(api: Api, send: ReturnType<typeof clientOf>['send']) {
  const { tarSha256, sizeBytes } = await api('POST', '/package-files', { content: emptyTar })
  const files = Array.from({ length: 10_000 }, (_, index) => {
    const place = `tasks/a-folder/of-many/file-${index}`
    return { source: place, dest: place, tarSha256, sizeBytes }
  })
  const agents = [{ id: 'a', command: ['true'] }]
  await forAWhile(() => {
    const id = `package-${(experimentCount += 1)}`
    const yaml = JSON.stringify({ id, name: id, agents })
    const body = { experiment_yaml: yaml, replace_version_files: true, version_files: files }
    return send('POST', '/api/v1/experiments', JSON.stringify(body))
  })
}

const emptyTar = Buffer.alloc(1024).toString('base64')

/** Imports task folders of Harbor, each with a file of 100 kB. */
async function importTasks(program: Program, count: number) {
  await inFolder(async (folder) => {
    for (let index = 0; index < count; index += 1) {
      const task = join(folder, 'tasks', `task-${index}`)
      await mkdir(join(task, 'tests'), { recursive: true })
      await mkdir(join(task, 'environment'), { recursive: true })
      await writeFile(join(task, 'task.toml'), 'version = "1.0"\n')
      await writeFile(join(task, 'instruction.md'), `Do ${index}.\n`.repeat(500))
      await writeFile(join(task, 'environment', 'Dockerfile'), 'FROM python:3.13\n')
      await writeFile(join(task, 'environment', 'data.txt'), `${index}\n`.repeat(30_000))
      await writeFile(join(task, 'tests', 'test.sh'), 'true\n')
    }
    await runAssay(program, ['import-tasks', 'harbor', folder, '--org', 'lab', '--experiment', 'folders'])
  })
}

/** Imports problems in the form of HumanEval. */
async function importProblems(program: Program, count: number) {
  const problems = Array.from({ length: count }, (_, index) => ({
    task_id: `HumanEval/${index}`,
    prompt: `def f${index}(a):\n`.repeat(5),
    test: 'def check(candidate):\n    assert candidate(1)\n'.repeat(20),
    entry_point: `f${index}`,
    canonical_solution: '    return a\n',
  }))
  await inFolder(async (folder) => {
    const file = join(folder, 'problems.jsonl')
    await writeFile(file, problems.map((problem) => JSON.stringify(problem)).join('\n'))
    await runAssay(program, ['import-tasks', 'problems', file, '--org', 'lab', '--experiment', 'problems'])
  })
}

/** An operator's command, which the running platform obeys. */
async function runAssay({ dataFolder }: Program, args: readonly string[]) {
  const env = { ...process.env, DATA_DIR: dataFolder }
  const command = ['tools/assay.mjs', 'admin', ...args]
  const { stdout } = await run(process.execPath, command, { cwd: root, env, maxBuffer: 2 ** 26 })
  process.stdout.write(`${stdout.split('\n')[0]?.slice(0, 300)}\n`)
}
