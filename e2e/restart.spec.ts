import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, type Page, test as base } from './fixtures.ts'
import { freePort } from '#tools/free-port.mjs'

/** `page` has opened the address that the program printed. */
type OwnProgram = { page: Page; kill: (server: 'platform' | 'BFF') => void; readNotes: () => string }

/** A separate program whose servers a story may kill. */
const test = base.extend<{ ownProgram: OwnProgram }>({
  // Its start counts toward the fixture's timeout, not the story's.
  ownProgram: [
    async ({ browser }, provide) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'assay-restart-'))
      const [port, platformPort] = [await freePort(), await freePort()]
      const settings = { PORT: `${port}`, PLATFORM_PORT: `${platformPort}`, DATA_DIR: dataDir, WORKER_SLOTS: '0' }
      const starter = spawn(process.execPath, ['tools/start.mjs'], {
        env: { ...process.env, ...settings },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const page = await browser.newPage({ baseURL: `http://127.0.0.1:${port}` })
      let notes = ''
      starter.stderr.on('data', (chunk) => (notes += String(chunk)))
      try {
        await page.goto(await printedAddress(starter))
        await expect(page.getByRole('navigation').first()).toBeVisible()
        await provide({
          page,
          kill: (server) => process.kill(findChild(starter, server), 'SIGKILL'),
          readNotes: () => notes,
        })
      } finally {
        await page.close()
        starter.kill('SIGTERM')
        await once(starter, 'exit')
        await rm(dataDir, { recursive: true, force: true })
      }
    },
    { timeout: 180_000 },
  ],
})

async function printedAddress({ stdout }: ChildProcess) {
  let text = ''
  for await (const chunk of (stdout ?? []) as AsyncIterable<Buffer>) {
    const [, address] = /is ready at (\S+)\n/.exec((text += String(chunk))) ?? []
    if (address) return address
  }
  throw new Error('The program ended before it was ready')
}

/** A server runs from its bundle, which has its name. */
function findChild(starter: ChildProcess, server: string) {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rows = list.split('\n').map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
  const found = rows.find((row) => Number(row?.[2]) === starter.pid && row?.[3]?.endsWith(`/${server}.mjs`))
  return Number(found?.[1])
}

test('a page survives the restart of each server: it shows a notice, reconnects, stays signed in and loses no write', async ({
  ownProgram,
}) => {
  test.setTimeout(300_000)
  const { page } = ownProgram
  const reconnecting = page.getByText('Reconnecting…')
  await page.goto('/secrets')
  await page.getByRole('link', { name: 'New secret' }).first().click()
  await page.evaluate(() => Object.assign(window, { neverReloaded: true }))

  await test.step('the platform stops while a form is open; the form saves after the restart', async () => {
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Slug' }).fill('kept-while-away')
    await dialog.getByRole('textbox', { name: 'Value' }).fill('a value')
    // It may be back before the page notices that it was gone.
    await expect(async () => {
      ownProgram.kill('platform')
      await expect(reconnecting).toBeVisible({ timeout: 4000 })
    }).toPass()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('row', { name: /kept-while-away/ })).toBeVisible({ timeout: 60_000 })
    await expect(reconnecting).toBeHidden()
    expect(ownProgram.readNotes()).toContain('The platform stopped (SIGKILL). Restarting it in 0.2 s.')
  })

  await test.step('the BFF restarts, and nobody has to sign in again', async () => {
    ownProgram.kill('BFF')
    // It may be back before the page notices that it was gone.
    await expect
      .poll(ownProgram.readNotes, { timeout: 60_000 })
      .toContain('The BFF stopped (SIGKILL). Restarting it in 0.2 s.')
    const isBack = () =>
      page.request.get('/healthz').then(
        (response) => response.ok(),
        () => false,
      )
    await expect.poll(isBack, { timeout: 60_000 }).toBe(true)
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible({ timeout: 60_000 })
    await expect(reconnecting).toBeHidden()
    expect(await page.evaluate(() => 'neverReloaded' in window)).toBe(true)
  })
})
