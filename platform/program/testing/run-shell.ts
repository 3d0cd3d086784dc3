import { createTail } from '#platform/engine/sandbox/output-tail.ts'
import type { RunFolders, Sandbox, SandboxCommand } from '#platform/engine/sandbox/sandbox.ts'

/** Runs a script in a sandbox. Returns how it ended and its output. */
export async function runShell(
  sandbox: Sandbox,
  folders: RunFolders,
  script: string,
  options: Partial<SandboxCommand> = {},
) {
  const stdout = createTail()
  const stderr = createTail()
  const end = await sandbox.spawn({
    argv: ['bash', '-c', script],
    folders,
    env: {},
    forwards: [],
    onStdout: stdout.push,
    onStderr: stderr.push,
    ...options,
  })
  return { ...end, stdout: stdout.text(), stderr: stderr.text() }
}
