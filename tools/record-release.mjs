// `node tools/record-release.mjs <name>`: starts the platform of this checkout on a new data folder, uses it over HTTP,
// and writes what it stored and answered to platform/program/server/releases/<name>.json.gz. platform/program/server/releases.test.ts
// opens it with every later version. Run it when a release is made.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { PGlite } from '@electric-sql/pglite'

import { freePort } from './free-port.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const name = process.argv[2]
if (!name) throw new Error('Usage: node tools/record-release.mjs <name>')

const definition = `
id: upgrade
name: Upgrade
description: Was made by an earlier release
agents:
  - {id: talks, command: [bash, -c, "echo I write a file; echo done > done.txt"]}
models: [one, two]
prompts:
  - {id: short, text: Write done.txt}
tests:
  - {name: has the file, command: [test, -f, done.txt]}
  - {name: has another, command: [test, -f, other.txt]}
`

const folder = mkdtempSync(join(tmpdir(), 'assay-release-'))
try {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment = { ...process.env, DATA_DIR: folder, PLATFORM_PORT: String(port), ASSAY_DEMO: 'off' }
  const assay = (...args) => {
    const options = { cwd: root, env: environment, encoding: 'utf8' }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['platform/program/cli/main.ts', ...args], options)
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  assay('org', 'create', '--slug', 'lab')
  const key = assay(...'key create --org lab --email a@lab.example --role admin --kind personal'.split(' '))
  assay('credits', 'grant', '--org', 'lab', '--usd', '12.34')
  assay('context', 'seed', '--org', 'lab')

  const platform = spawn(process.execPath, ['platform/main.ts'], { cwd: root, env: environment, stdio: 'inherit' })
  const ended = once(platform, 'exit')
  const { answers, publicPath } = await recordAnswers(url, key).finally(async () => {
    platform.kill('SIGTERM')
    await ended
  })
  const state = await readState(join(folder, 'state'))
  const files = readFiles(['blobs', 'encryption-keys'])
  const target = join(root, 'platform/program/server/releases', `${name}.json.gz`)
  mkdirSync(join(root, 'platform/program/server/releases'), { recursive: true })
  writeFileSync(target, gzipSync(JSON.stringify({ name, key, publicPath, answers, ...state, files }), { level: 9 }))
  process.stdout.write(`${relative(root, target)}: ${statSync(target).size} bytes\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Uses every noun that the API document has, and returns what reading them answers. */
async function recordAnswers(url, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const ask = async (method, path, body) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/api/v1${path}`, sent)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
  }
  await until(() =>
    fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    ),
  )
  await ask('POST', '/experiments', { experimentYaml: definition })
  await ask('POST', '/experiments', {
    experimentYaml: definition.replace('an earlier release', 'an earlier release, twice'),
  })
  await ask('POST', '/experiments/upgrade/resources', { title: 'Notes', url: 'https://notes.example/upgrade' })
  await ask('PUT', '/secrets/token', { value: 'a secret of an earlier release', description: 'For tests' })
  await ask('POST', '/experiments/upgrade/runs', { repeat: 2, mock: true })
  await ask('POST', '/experiments/upgrade/runs', { repeat: 1 })
  const canceled = await ask('POST', '/experiments/upgrade/runs', { repeat: 2, mock: true })
  await ask('POST', `/runs/${canceled.runRequestId}/cancel`, {})
  const hasEnded = ({ status }) => ['completed', 'errored', 'canceled'].includes(status)
  await until(async () => (await ask('GET', '/runs?limit=100')).runs.every(hasEnded))
  const sql = 'SELECT agent, model, status, count() AS runs FROM runs GROUP BY ALL ORDER BY ALL'
  const query = { sql, saveInsight: { heading: 'Runs by model', slug: 'runs-by-model' } }
  await ask('POST', '/experiments/upgrade/query', query)
  const insight = (await ask('GET', '/insights')).insights.find(({ heading }) => heading === 'Runs by model')
  const shared = await ask('POST', `/insights/${insight.id}/share`, {})
  const body = { title: 'Findings', description: 'Of an earlier release', bodyMarkdown: '# Findings\n\nIt *works*.' }
  const { report } = await ask('POST', '/reports', body)
  await ask('POST', `/reports/${report.id}/blocks`, { markdown: '| a | b |\n| - | - |\n| 1 | 2 |' })

  const { runs } = await ask('GET', '/runs?limit=100')
  const paths = [
    '/whoami',
    '/experiments',
    '/experiments/upgrade',
    '/experiments/upgrade/versions',
    '/experiments/upgrade/yaml',
    '/runs?limit=100',
    ...runs.map(({ id }) => `/runs/${encodeURIComponent(id)}?transcript=true`),
    ...runs.map(({ id }) => `/runs/${encodeURIComponent(id)}/tests`),
    '/insights',
    `/insights/${insight.id}`,
    '/reports',
    `/reports/${report.id}`,
    '/secrets',
  ]
  const answers = []
  for (const path of paths) answers.push({ path, body: await ask('GET', path) })
  for (const [path, sent] of [
    ['/experiments/upgrade/query', { sql }],
    [`/insights/${encodeURIComponent('chart:upgrade:tests')}/execute`, { parameters: { group_by: 'model' } }],
  ])
    answers.push({ path, sent, body: await ask('POST', path, sent) })
  return { answers, publicPath: new URL(shared.url).pathname }
}

/** The rows of every table, as PostgreSQL writes them, and the newest migration. */
async function readState(path) {
  const client = await PGlite.create({ dataDir: path })
  const names = await client.query(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
  const tables = {}
  for (const { name: table } of names.rows) {
    const { rows } = await client.query(`select to_jsonb(t)::text as row from "${table}" t`)
    if (rows.length > 0) tables[table] = rows.map(({ row }) => JSON.parse(row))
  }
  const { rows } = await client.query('select count(*)::int as count from drizzle.__drizzle_migrations')
  await client.close()
  return { migrations: rows[0].count, tables }
}

function readFiles(names) {
  const files = {}
  const add = (path) => {
    if (!existsSync(path)) return
    if (!statSync(path).isDirectory()) files[relative(folder, path)] = readFileSync(path).toString('base64')
    else for (const each of readdirSync(path)) add(join(path, each))
  }
  for (const each of names) add(join(folder, each))
  return files
}

async function until(isTrue) {
  for (let left = 600; left > 0; left -= 1) {
    if (await isTrue()) return
    await delay(100)
  }
  throw new Error('The platform did not get that far within a minute')
}
