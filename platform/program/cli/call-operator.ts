import type { PlatformConfig } from '#platform/program/server/platform-config.ts'
import type { Progress } from '#platform/program/operator/command.ts'
import { FolderTaken } from '#platform/ground/database/lock-folder.ts'
import { ChannelEvent, findChannel } from '#platform/program/server/channel-file.ts'
import { accountName } from '#platform/program/operator/account-name.ts'
import { progressBar } from './progress-bar.ts'

type Report = (progress: Progress) => void

/** Runs a command in the service that holds the data folder, or in this process if none does, and prints its result. */
export async function callOperator(config: PlatformConfig, name: string, input: unknown) {
  const bar = progressBar()
  try {
    const lines = await runWhereItCan(config, name, input, bar.show)
    bar.stop()
    for (const line of lines) process.stdout.write(`${line}\n`)
  } finally {
    bar.stop()
  }
}

/** A service may have started while the command waited for the folder. The service then runs the command. */
async function runWhereItCan(config: PlatformConfig, name: string, input: unknown, report: Report) {
  const channel = await findChannel(config.dataFolder)
  if (channel) return runThere(channel, name, input, report)
  try {
    return await runHere(config, name, input, report)
  } catch (error) {
    const started = error instanceof FolderTaken && (await findChannel(config.dataFolder))
    if (!started) throw error
    return runThere(started, name, input, report)
  }
}

/** Loads the whole platform, which takes a second, so only a command that no service can run does it. */
async function runHere(config: PlatformConfig, name: string, input: unknown, report: Report) {
  const { runInThisProcess } = await import('./run-in-this-process.ts')
  return runInThisProcess(config, name, input, report)
}

async function runThere(
  { url, token }: { url: string; token: string },
  command: string,
  input: unknown,
  report: Report,
): Promise<string[]> {
  const response = await fetch(`${url}/operator/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ command, input, account: accountName() }),
  })
  for await (const event of eventsOf(response)) {
    if (event.kind === 'progress') report(event)
    else if (event.kind === 'result') return event.lines
    else throw new Error(event.message)
  }
  throw new Error('The service stopped before the command ended. Run the command again')
}

async function* eventsOf(response: Response) {
  let unread = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (unread + chunk).split('\n')
    unread = lines.pop() ?? ''
    for (const line of lines) yield ChannelEvent.parse(JSON.parse(line))
  }
}
