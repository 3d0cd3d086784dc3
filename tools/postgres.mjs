import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { aptInstall } from './bubblewrap.mjs'
import { freePort } from './free-port.mjs'

const readyWithinMs = 60_000

/**
 * A separate PostgreSQL for one test run: in a temporary folder, on a free loopback port, removed afterwards. Undefined
 * where PostgreSQL is not installed. With `keepsCommits`, acknowledged commits survive `crash`, which also restarts it.
 */
export async function startThrowawayPostgres({ keepsCommits = false } = {}) {
  ensurePostgres()
  const programs = findPrograms()
  if (!programs) return undefined

  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'))
  const owner = ownerOfCluster()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const options = { ...owner, cwd: folder }
  const data = join(folder, 'data')

  const initdb = ['-D', data, '-U', 'assay', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), initdb, { ...options, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed:\n${made.stderr ?? made.error}`)

  const port = await freePort()
  const flags = serverFlags(data, folder, port, keepsCommits)
  const start = async () => {
    const server = spawn(join(programs, 'postgres'), flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = new Promise((resolve) => server.once('exit', resolve))
    return { server, ended, isReady: await saysReady(server.stderr) }
  }
  let running = await start()
  const end = async (signal) => {
    running.server.kill(signal)
    await running.ended
  }
  const stop = async () => {
    await end('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
  /** By default the same as `pg_ctl restart -m immediate`. */
  const crash = async (signal = 'SIGQUIT') => {
    await end(signal)
    running = await start()
    // After SIGKILL the server's processes still end for a moment, and block another start until then.
    for (let left = 50; !running.isReady && left > 0; left -= 1) {
      await running.ended
      await delay(100)
      running = await start()
    }
  }
  if (running.isReady) return { url: `postgres://assay@127.0.0.1:${port}/postgres`, stop, crash }
  await stop()
  throw new Error('PostgreSQL did not become ready.')
}

/** Installs PostgreSQL where that is usual: as root or in CI, never on a developer's machine. */
export function ensurePostgres() {
  if (!findPrograms() && mayInstall()) aptInstall('postgresql')
}

/** Durability is off, because the cluster lives for one test run. */
const serverFlags = (data, folder, port, keepsCommits) => {
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'max_connections=200']
  const careless = ['fsync=off', 'full_page_writes=off', ...(keepsCommits ? [] : ['synchronous_commit=off'])]
  return ['-D', data, '-p', String(port), ...[...settings, ...careless].flatMap((setting) => ['-c', setting])]
}

function findPrograms() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

const mayInstall = () => process.env.CI === 'true' || process.getuid?.() === 0

/** PostgreSQL refuses to run as root. */
function ownerOfCluster() {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag, user) => spawnSync('id', [flag, user], { encoding: 'utf8' })
  const user = ['postgres', 'nobody'].find((name) => idOf('-u', name).status === 0)
  return user && { uid: Number(idOf('-u', user).stdout), gid: Number(idOf('-g', user).stdout) }
}

function saysReady(output) {
  return new Promise((resolve) => {
    let text = ''
    // Always reads the output, because a full pipe would stop the server.
    output.on('data', (chunk) => {
      if (text.length < 100_000) text += chunk
      if (text.includes('ready to accept connections')) resolve(true)
    })
    output.once('end', () => resolve(false))
    setTimeout(() => resolve(false), readyWithinMs).unref()
  })
}
