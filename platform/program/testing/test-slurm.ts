import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import { freePort } from '#tools/free-port.mjs'

const programs = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'sinfo']
const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin']
const missing = programs.find((name) => !folders.some((folder) => existsSync(join(folder, name))))

/** Why no Slurm can be started on this machine, or null. */
export const whyNoSlurm =
  process.getuid?.() !== 0 ? 'not root' : missing ? `not installed: ${missing} (apt-get install slurm-wlm munge)` : null

const nodes = ['n1', 'n2', 'n3']
const startMs = 30_000

/** Starts a Slurm of three nodes on this machine, with its own keys, ports and folder. */
export async function startTestSlurm({ cpusPerNode = 2 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-slurm-'))
  // Munge refuses a socket in a folder that others cannot enter.
  await chmod(folder, 0o755)
  for (const name of ['munge', 'state', 'log', ...nodes]) await mkdir(join(folder, name))
  await writeFile(join(folder, 'key'), randomBytes(1024), { mode: 0o600 })
  const configuration = join(folder, 'slurm.conf')
  const ports = await Promise.all(['controller', ...nodes].map(freePort))
  await writeFile(configuration, slurmConf(folder, ports, cpusPerNode))
  const environment = { ...process.env, SLURM_CONF: configuration }
  const daemons = new Map<string, ChildProcess>()
  const start = (name: string, program: string, args: string[]) =>
    daemons.set(name, spawn(program, args, { env: environment, stdio: 'ignore' }))
  const inMunge = (name: string) => join(folder, 'munge', name)
  const files = [`--socket=${inMunge('socket')}`, `--key-file=${join(folder, 'key')}`, `--pid-file=${inMunge('pid')}`]
  start('munged', 'munged', [
    '--foreground',
    ...files,
    `--log-file=${inMunge('log')}`,
    `--seed-file=${inMunge('seed')}`,
  ])
  await until(async () => existsSync(inMunge('socket')), 'munged')
  start('slurmctld', 'slurmctld', ['-D', '-i'])
  for (const node of nodes) start(node, 'slurmd', ['-D', '-N', node])

  const slurm = (program: string, ...args: string[]) =>
    execFileSync(program, args, { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
  const isIdle = async () => slurm('sinfo', '--noheader', '--states=idle', '--format=%D') === String(nodes.length)
  await until(() => isIdle().catch(() => false), 'the nodes of Slurm')

  return {
    environment,
    slurm,
    /** The node on which a process of a job runs. */
    nodeOf: (pid: number) => variableOf(pid, 'SLURMD_NODENAME'),
    /** Kills everything on a node, as a power cut does. */
    async killNode(node: string) {
      const daemon = daemons.get(node)
      daemon?.kill('SIGKILL')
      const isOn = (pid: number) =>
        variableOf(pid, 'SLURM_CONF') === configuration && variableOf(pid, 'SLURMD_NODENAME') === node
      // Parents first: Slurm's process beside a worker would otherwise report that the worker failed.
      const parents = new Set(everyProcess().filter(isOn).map(parentOf))
      killAll((pid) => parents.has(pid) && processName(pid) === 'slurmstepd')
      killAll(isOn)
      if (daemon?.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit')
    },
    async stop() {
      for (const daemon of [...daemons.values()].toReversed()) {
        if (daemon.exitCode !== null || daemon.signalCode !== null) continue
        const ended = once(daemon, 'exit')
        daemon.kill('SIGKILL')
        await ended
      }
      killAll((pid) => pid !== process.pid && variableOf(pid, 'SLURM_CONF') === configuration)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function variableOf(pid: number, name: string) {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return variables.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
  } catch {
    return undefined
  }
}

const everyProcess = () => readdirSync('/proc').map(Number).filter(Boolean)

function statusOf(pid: number) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

const parentOf = (pid: number) => Number(/^PPid:\s(\d+)/m.exec(statusOf(pid))?.[1])
const processName = (pid: number) => /^Name:\s(.*)/m.exec(statusOf(pid))?.[1]

function killAll(isMeant: (pid: number) => boolean) {
  for (const pid of everyProcess().filter(isMeant)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

async function until(isTrue: () => Promise<boolean>, what: string) {
  for (let left = startMs / 100; left > 0; left -= 1) {
    if (await isTrue()) return
    await delay(100)
  }
  throw new Error(`Did not start: ${what}`)
}

/** A node that does not answer for five seconds is down, and its jobs are requeued soon after. */
const slurmConf = (folder: string, [controller, ...nodePorts]: number[], cpusPerNode: number) => `
ClusterName=assay
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmctldPort=${controller}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket,cred_expire=5
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/%n.pid
SlurmdSpoolDir=${folder}/%n
SlurmctldLogFile=${folder}/log/slurmctld
SlurmdLogFile=${folder}/log/%n
StateSaveLocation=${folder}/state
SlurmdTimeout=5
KillWait=5
SchedulerParameters=sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
${nodes.map((node, index) => `NodeName=${node} NodeAddr=127.0.0.1 NodeHostname=${hostname()} Port=${nodePorts[index]} CPUs=${cpusPerNode}`).join('\n')}
PartitionName=main Nodes=${nodes.join(',')} Default=YES MaxTime=INFINITE State=UP
`
