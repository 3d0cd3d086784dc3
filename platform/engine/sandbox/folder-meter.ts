import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'

type Measured = { kilobytes: number; files: number }

/**
 * Reads the number of a measurement and its folders per line. Each measurement runs in the background, so that a large
 * folder delays no other. The inner subshell has no parent that would have to wait for it.
 */
const script = `
while IFS= read -r line; do
  eval "set -- $line"
  id=$1
  shift
  ( {
    kilobytes=$(du -skxc -- "$@" 2>/dev/null | tail -n 1)
    files=$(du --inodes -sxc -- "$@" 2>/dev/null | tail -n 1)
    echo "$id \${kilobytes%%[!0-9]*} \${files%%[!0-9]*}"
  } & )
done`

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Measures folders with \`du\`, which counts the rest if it cannot read a folder. A \`du\` that cannot count files counts none.
 * One shell starts all of them: starting a process takes this large one up to 30 ms, and the small shell less than one.
 */
export function folderMeter() {
  const waiting = new Map<number, (measured: Measured) => void>()
  let measureWith: ((line: string) => void) | undefined
  let lastId = 0

  const start = () => {
    const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] })
    // An idle shell must not keep a program from ending. Its output does while someone waits for it.
    shell.unref()
    for (const pipe of [shell.stdin, shell.stdout]) if (pipe instanceof Socket) pipe.unref()
    const settle = (id: number, measured: Measured) => {
      waiting.get(id)?.(measured)
      waiting.delete(id)
      if (waiting.size === 0 && shell.stdout instanceof Socket) shell.stdout.unref()
    }
    createInterface(shell.stdout).on('line', (line) => {
      const [id, kilobytes, files] = line.split(' ').map(Number)
      settle(id ?? 0, { kilobytes: kilobytes ?? 0, files: files ?? 0 })
    })
    const end = () => {
      measureWith = undefined
      for (const id of waiting.keys()) settle(id, { kilobytes: 0, files: 0 })
    }
    shell.once('error', end).once('exit', end)
    shell.stdin.on('error', () => {})
    return (line: string) => {
      if (shell.stdout instanceof Socket) shell.stdout.ref()
      shell.stdin.write(line)
    }
  }
  return async (folders: readonly string[]): Promise<Measured> => {
    // A line break would end the line of the shell.
    const readable = folders.filter((folder) => !folder.includes('\n'))
    if (readable.length === 0) return { kilobytes: 0, files: 0 }
    measureWith ??= start()
    const id = ++lastId
    const measured = Promise.withResolvers<Measured>()
    waiting.set(id, measured.resolve)
    measureWith(`${[String(id), ...readable].map(quoted).join(' ')}\n`)
    return measured.promise
  }
}
