import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** The world around a command, so that tests run commands in their own process. */
export type Io = {
  env: Readonly<Record<string, string | undefined>>
  folder: string
  out: (text: string) => void
  error: (text: string) => void
  /** Whether a person reads `error` and can answer. */
  isTerminal: boolean
  /** The widths of the terminals that show `out` and `error`; null for a file or a pipe. */
  columns: { out: number | null; error: number | null }
  ask: (question: string) => Promise<string>
  /** Everything on standard input. */
  readInput: () => Promise<string>
  openBrowser: (url: string) => void
  /** Calls the listener at each Ctrl-C, in place of the program's end. Returns how to stop that. */
  onInterrupt: (listener: () => void) => () => void
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export function ioOfProcess(): Io {
  return {
    env: process.env,
    folder: process.cwd(),
    out: (written) => void process.stdout.write(written),
    error: (written) => void process.stderr.write(written),
    // Questions and live tables are on standard error, so the result can go into a pipe meanwhile.
    isTerminal: process.stderr.isTTY && process.stdin.isTTY,
    columns: { out: widthOf(process.stdout), error: widthOf(process.stderr) },
    ask,
    readInput: () => text(process.stdin),
    openBrowser,
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => void process.off('SIGINT', listener)
    },
    wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
  }
}

const widthOf = (stream: NodeJS.WriteStream) => (stream.isTTY && stream.columns) || null

/** A Ctrl-C at the question is an empty answer. */
async function ask(question: string) {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const stopped = new AbortController()
  lines.once('SIGINT', () => stopped.abort())
  try {
    return await lines.question(question, { signal: stopped.signal })
  } catch {
    process.stderr.write('\n')
    return ''
  } finally {
    lines.close()
  }
}

/** Without a shell, and only for web addresses, so that no address can start a program. */
function openBrowser(url: string) {
  if (!/^https?:\/\//.test(url)) return
  const [program, ...before] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['explorer.exe'] : ['xdg-open']
  const child = spawn(program ?? 'xdg-open', [...before, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
