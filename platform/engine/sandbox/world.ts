import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { confinedStdio } from '#platform/ground/confinement/confined-stdio.ts'
import { keeperProgram } from '#platform/ground/confinement/keeper-program.ts'
import { writeToPipe } from '#platform/ground/confinement/write-to-pipe.ts'
import { argumentsFd, keeperArguments, mountsOf, statusFd } from './bubblewrap-arguments.ts'
import type { Mounts } from './inside-places.ts'
import { killProcess } from './kill-process.ts'
import { killTree } from './kill-tree.ts'
import type { ProcessLimits } from './limits.ts'
import { hasEnded, listProcesses, untilProcessGone } from './process-list.ts'
import type { WorldNeeds } from './sandbox.ts'
import { findStageUser, keeperFd, stageCommand, stagedMounts, type StageUser } from './stage.ts'
import { withUsualUmask } from './supervise.ts'
import { watchUsage } from './watch-usage.ts'
import { openWorldNetwork, type WorldNetwork } from './world-network.ts'

export type WorldOptions = {
  clientsFolder?: string | undefined
  limits?: ProcessLimits | undefined
  /** Drops root first, if the service runs as root. */
  isUnprivileged?: boolean
}

/** Why a world has ended. `isFault`: neither the service nor one of its own limits ended it. */
type WorldEnd = { reason: string; isFault: boolean }

/** The namespaces of a world, and the process that holds them. */
export type WorldSpace = {
  mounts: Mounts
  user: StageUser
  /** The command line that enters its mounts, network and IPC. */
  enter: readonly string[]
  /** Handles of its user and process namespaces, which bubblewrap enters. */
  userNamespace: number
  processNamespace: number
  network: WorldNetwork
  ended: () => WorldEnd | null
  /** Calls back when the world exceeds a limit and so ends. Returns a function that ends this. */
  onExceeded: (callback: (reason: string) => void) => () => void
  /** Kills every process at once. */
  kill: () => void
  untilGone: () => Promise<void>
  endProcesses: () => Promise<void>
  close: () => Promise<void>
}

/** Keeps a world at most this long, although its service is alive: longer than any run may last. */
const longestSeconds = 8 * 24 * 3600

/** A busy machine may need long. A sandbox that hangs must not keep its run forever. */
const startMs = 60_000

/**
 * Opens the namespaces in which all commands of a run execute. They live as long as their first process, the keeper,
 * which ends with this service. Throws an Error with the reason if this machine cannot open them.
 */
export async function openWorldSpace(needs: WorldNeeds, options: WorldOptions): Promise<WorldSpace> {
  const { clientsFolder, limits, isUnprivileged = false } = options
  const mounts = mountsOf(needs, clientsFolder)
  const user = await findStageUser(isUnprivileged, mounts.get('workspace'))
  const program = ['bwrap', '--args', String(argumentsFd), '--', '/keeper']
  const child = startKeeper(stageCommand(program, { mounts, user, root: needs.root }))
  const staged = stagedMounts(mounts)
  writeToPipe(child, argumentsFd, keeperArguments(needs, staged).join('\0'))
  writeToPipe(child, keeperFd, keeperProgram(longestSeconds) ?? '')
  const keeper = await untilKeeperAnswers(child)
  const handles: FileHandle[] = []
  try {
    const hold = async (pid: number, kind: string) => {
      const handle = await open(`/proc/${pid}/ns/${kind}`)
      handles.push(handle)
      return handle.fd
    }
    const [mount, network, ipc, userNamespace, processNamespace] = [
      await hold(child.pid ?? 0, 'mnt'),
      await hold(keeper, 'net'),
      await hold(keeper, 'ipc'),
      await hold(keeper, 'user'),
      await hold(keeper, 'pid'),
    ]
    // The user namespace that owns the mounts of a service that is not root.
    const owner = user === 'own' ? await hold(child.pid ?? 0, 'user') : null
    const place = (fd: number) => `/proc/${process.pid}/fd/${fd}`
    const asOwner = owner === null ? [] : ['--preserve-credentials', `--user=${place(owner)}`]
    const enterNetwork = ['nsenter', ...asOwner, `--net=${place(network)}`]
    const life = live(child, { keeper, limits, written: writtenFolders(needs) })
    const worldNetwork = openWorldNetwork([...enterNetwork, '--'])
    return {
      mounts: staged,
      user,
      enter: [...enterNetwork, `--mount=${place(mount)}`, `--ipc=${place(ipc)}`, '--'],
      userNamespace,
      processNamespace,
      network: worldNetwork,
      ...life,
      async close() {
        worldNetwork.close()
        await life.close()
        await Promise.all(handles.splice(0).map((handle) => handle.close()))
      },
    }
  } catch (error) {
    killProcess(keeper)
    await Promise.all(handles.map((handle) => handle.close()))
    throw error
  }
}

const writtenFolders = ({ folders, root }: WorldNeeds) => [
  folders.workspace,
  folders.home,
  ...(root ? [root.layer] : []),
]

function startKeeper([command = '', ...args]: string[]) {
  const stdio = confinedStdio(Array.from({ length: keeperFd + 1 }, () => 'pipe' as const))
  // Detaches from the terminal: Ctrl-C must reach only the service, which then stops the run in order.
  const options = { stdio, env: { PATH: process.env['PATH'] }, detached: true }
  const child = withUsualUmask(() => spawn(command, args, options))
  child.stdin?.on('error', () => {})
  return child
}

/**
 * Returns the keeper's process id once it has answered: then it is the first process of its namespace, has closed its
 * memory to the commands, and the folders are mounted.
 */
async function untilKeeperAnswers(child: ChildProcess): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let status = ''
  let stderr = ''
  let hasAnswered = false
  const keeper = () => Number(/"child-pid": (\d+)/.exec(status)?.[1] ?? 0)
  const check = () => hasAnswered && keeper() > 0 && resolve(keeper())
  const pipe = child.stdio[statusFd]
  if (pipe instanceof Readable)
    pipe.on('data', (chunk) => {
      status += String(chunk)
      check()
    })
  child.stderr?.on('data', (chunk) => (stderr = (stderr + String(chunk)).slice(-500)))
  child.stdout?.once('data', () => {
    hasAnswered = true
    check()
  })
  const fail = (reason: string) => reject(new Error(reason))
  child.once('error', ({ message }) => fail(message))
  child.once('close', () => fail(/(?:bwrap: )?([^\n]*)$/.exec(stderr.trimEnd())?.[1] || 'bubblewrap ended'))
  const timer = setTimeout(() => fail('it took too long'), startMs)
  child.stdin?.write('k')
  try {
    return await promise
  } catch (error) {
    // A bubblewrap that loses its parent while it starts would wait for it forever.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await killTree(child.pid)
    if (keeper() > 0) killProcess(keeper())
    child.stdin?.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type Life = { keeper: number; written: readonly string[]; limits: ProcessLimits | undefined }

/** What ends the processes of a world. */
function live(child: ChildProcess, { keeper, written, limits }: Life) {
  let end: WorldEnd | null = null
  const callbacks = new Set<(reason: string) => void>()
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve()
  // The kernel kills all other processes of the namespace with its first one.
  const kill = (why: WorldEnd = { reason: 'The sandbox of the run was closed', isFault: false }) => {
    end ??= why
    // Its id may be another process's by now.
    if (child.exitCode === null && child.signalCode === null) killProcess(keeper)
    child.stdin?.destroy()
  }
  void gone.then(() => (end ??= { reason: 'The sandbox of the run has ended', isFault: true }))
  const unwatch = limits
    ? watchUsage({ written, limits, firstProcess: () => keeper }, (reason) => {
        kill({ reason, isFault: false })
        for (const callback of callbacks) callback(reason)
      })
    : () => {}
  const untilGone = async () => {
    await gone
    // The keeper's parent reports its end, which comes after that of all others.
    await untilProcessGone(keeper)
  }
  return {
    ended: () => end,
    onExceeded(callback: (reason: string) => void) {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    kill: () => kill(),
    untilGone,
    async endProcesses() {
      for (let round = 0; round < roundsOfEnding; round += 1) {
        if (end) return
        const answer = child.stdout ? once(child.stdout, 'data', { signal: AbortSignal.timeout(answerMs) }) : null
        child.stdin?.write('k')
        await answer?.catch(() => {})
        if (await isAlone(keeper)) return
        await delay(5)
      }
      kill({ reason: 'Some processes of the run could not be killed', isFault: true })
    },
    async close() {
      unwatch()
      kill()
      await untilGone()
    },
  }
}

/** Whether a namespace has no process but its first. */
async function isAlone(keeper: number) {
  const proc = `/proc/${keeper}/root/proc`
  const others = (await listProcesses(proc).catch(() => [])).filter((pid) => pid !== 1)
  return (await Promise.all(others.map((pid) => hasEnded(pid, proc)))).every(Boolean)
}

const answerMs = 5000
const roundsOfEnding = 200
