import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Io } from '#client/io.ts'
import { runClient } from '#client/run-client.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'

type Choices = {
  env?: Record<string, string>
  answers?: string[]
  input?: string
  isTerminal?: boolean
  columns?: number
  onWait?: () => Promise<void>
  openBrowser?: (address: string) => void
}

/** A platform that listens, and a client in an empty folder with a key of an admin. */
export async function startClient() {
  const platform: TestPlatform = await openTestPlatform()
  const url = await platform.listen()
  const folder = await mkdtemp(join(tmpdir(), 'assay-client-'))
  const env = { ASSAY_URL: url, ASSAY_API_KEY: platform.admin, ASSAY_CONFIG_DIR: join(folder, 'config') }

  /** Runs a command and returns its exit code and what it printed. `answers` are those of a person at a terminal. */
  async function assay(words: readonly string[], choices: Choices = {}) {
    const printed = { out: '', error: '', opened: [] as string[], asked: [] as string[] }
    const answers = [...(choices.answers ?? [])]
    const listeners = new Set<() => void>()
    const io: Io = {
      env: { ...env, ...choices.env },
      folder,
      out: (text) => void (printed.out += text),
      error: (text) => void (printed.error += text),
      isTerminal: choices.isTerminal ?? choices.answers !== undefined,
      columns: { out: choices.columns ?? null, error: choices.columns ?? null },
      async ask(question) {
        printed.asked.push(question)
        return answers.shift() ?? ''
      },
      readInput: async () => choices.input ?? '',
      openBrowser(address) {
        printed.opened.push(address)
        choices.openBrowser?.(address)
      },
      onInterrupt(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      // Without work to do meanwhile, who waits is interrupted, so that a test of a watched request ends.
      async wait() {
        if (choices.onWait) return choices.onWait()
        for (const listener of listeners) listener()
      },
    }
    return { code: await runClient(words, io), ...printed }
  }

  return {
    platform,
    url,
    folder,
    assay,
    async close() {
      await platform.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestClient = Awaited<ReturnType<typeof startClient>>
