import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { killGroup } from '#platform/ground/processes/kill-group.ts'
import { processStarter } from '#platform/ground/processes/process-starter.ts'
import { codeOfSignal, type StartedProcess } from '#platform/ground/processes/started-process.ts'
import { ContentLost, type ContentReply, type ContentRequest, ContentStopped } from './content-job.ts'
import { frameOf, readFrames } from './framed-values.ts'

const program = fileURLToPath(new URL('./content-main.ts', import.meta.url))

/** Of the heap, and of everything together. A job ends when it needs more. */
const memoryLimits = { heapMb: 1024, residentMb: 1536 }

/** The kernel's limits, for a process that nobody watches any more. Node allocates much more than it uses. */
const [unusedMb, wholeSeconds] = [1536, 3600]

/** The arguments of a program of util-linux, if it is installed. */
function withTool(name: string, ...args: string[]) {
  const tool = [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path))
  return tool ? [tool, ...args, '--'] : []
}

/** A busy process does not notice that its channel is closed. */
const endsWithParent = withTool('setpriv', '--pdeathsig', 'KILL')

const lookEveryMs = 500

/** With which V8 ends its process. */
const codesWithoutMemory = new Set([codeOfSignal('SIGABRT'), codeOfSignal('SIGTRAP')])

/** A process that grew is not used again, so that idle ones stay small. */
const reusableMb = 256

type Waiting = PromiseWithResolvers<unknown>

export type ContentProcess = ReturnType<typeof startContentProcess>

/**
 * Starts a content process. It answers in order. When it uses more than the processor time of its session or its memory, it
 * is killed, and what waits for it is refused with a ContentStopped, else with a ContentLost.
 */
export function startContentProcess({ heapMb, residentMb } = memoryLimits) {
  const limited = withTool('prlimit', `--data=${(residentMb + unusedMb) * 1024 ** 2}`, `--cpu=${wholeSeconds}`)
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, program]
  const [command = '', ...args] = [...endsWithParent, ...limited, ...node]
  const { NODE_COMPILE_CACHE: cache } = process.env
  const env = { TZ: 'UTC', ...(cache && { NODE_COMPILE_CACHE: cache }) }
  const started = processStarter().then((starter) => starter.start({ command, args, env, inBackground: true }))
  const outOfMemory = () => new ContentStopped(`it needs more than ${heapMb.toLocaleString('en')} MiB of memory`)
  const waiting: Waiting[] = []
  let running: StartedProcess | undefined
  let whyKilled: Error | null = null
  let hasEnded = false
  let last = { processorMs: 0, residentMb: 0 }
  let session = { startMs: 0, limitMs: Infinity }
  let timer: NodeJS.Timeout | undefined

  const kill = (why: Error) => {
    whyKilled ??= why
    if (running && !running.hasExited()) killGroup(running.pid)
  }
  const check = (used: { processorMs: number; residentMb: number }) => {
    const { startMs, limitMs } = session
    if (used.processorMs - startMs > limitMs)
      kill(new ContentStopped(`it needs more than ${limitMs / 1000} s of processor time`))
    if (used.residentMb > residentMb) kill(outOfMemory())
  }
  const look = async () => {
    const used = await readUsage(running?.pid)
    if (used && waiting.length > 0) check(used)
  }
  /** A busy process keeps a command line tool from ending, by this timer. An idle one does not. */
  const setBusy = (isBusy: boolean) => {
    clearInterval(timer)
    if (isBusy) timer = setInterval(() => void look(), lookEveryMs)
  }
  const end = (why: Error) => {
    whyKilled ??= why
    hasEnded = true
    setBusy(false)
    for (const { reject } of waiting.splice(0)) reject(whyKilled)
  }

  const receive = (reply: ContentReply) => {
    check(reply)
    last = reply
    const asked = waiting.shift()
    if (waiting.length === 0) setBusy(false)
    if ('refused' in reply)
      asked?.reject(Object.assign(new Error(reply.refused), reply.code !== null && { code: reply.code }))
    else asked?.resolve(reply.answer)
  }
  const talk = async () => {
    running = await started
    const { stdin, stdout, stderr } = running
    for (const connection of [stdin, stdout, stderr]) connection.resume().unref()
    readFrames(
      stdin,
      (reply) => receive(reply as ContentReply),
      () => kill(new ContentLost('its answer cannot be read')),
    )
    if (whyKilled) kill(whyKilled)
    // What it answered before it ended may still be on its way.
    const [exitCode] = await Promise.all([running.exit, stdin.closed ? null : once(stdin, 'close')])
    if (codesWithoutMemory.has(exitCode)) throw outOfMemory()
    throw new ContentLost(`it ended with code ${exitCode}`)
  }
  talk().catch((error: Error) => end(error instanceof ContentStopped ? error : new ContentLost(error.message)))

  const send = (message: ContentRequest) => {
    if (hasEnded) return Promise.reject(whyKilled ?? new ContentLost('it ended'))
    const asked = Promise.withResolvers<unknown>()
    waiting.push(asked)
    setBusy(true)
    const frame = frameOf(message)
    // Its end says why it could not be sent.
    started.then(
      ({ stdin }) => stdin.write(frame),
      () => {},
    )
    return asked.promise
  }
  return {
    /** Starts a job, which can use this much processor time. */
    open(module: URL, start: unknown, processorSeconds: number) {
      session = { startMs: last.processorMs, limitMs: processorSeconds * 1000 }
      return send({ kind: 'open', module: module.href, start })
    },
    ask: (request: unknown) => send({ kind: 'ask', request }),
    /** Whether it can do another job. */
    isReusable: () => whyKilled === null && waiting.length === 0 && last.residentMb < reusableMb,
    kill: () => kill(new ContentStopped('it was canceled')),
  }
}

const millisecondsPerTick = 10
const pageBytes = 4096

/** Returns the processor time and memory of a process; null where there is no /proc, or if the process has ended. */
async function readUsage(pid: number | undefined) {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  // The name of the program comes first, in parentheses, and may contain anything.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!fields) return null
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number)
  return {
    processorMs: ((user ?? 0) + (system ?? 0)) * millisecondsPerTick,
    residentMb: ((pages ?? 0) * pageBytes) / 1024 ** 2,
  }
}
