import { startMailServer } from '#platform/program/testing/mail-server.ts'
import { createReport } from '#contract/reports.ts'
import { callAs } from './call-as.ts'
import { expect, test as base } from './fixtures.ts'
import { nameProgram, startProgram } from './start-program.ts'

/** A program of its own, because the operator names the mail server at the start. */
const test = base.extend<object, { mailServer: Awaited<ReturnType<typeof startMailServer>> }>({
  mailServer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of a fixture's needs from it.
    async ({}, provide) => {
      const server = await startMailServer()
      await provide(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  program: [
    async ({ mailServer }, provide) => {
      const settings = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, SMTP_FROM: 'Assay <assay@demo.example>' }
      const program = await startProgram(settings)
      nameProgram(program)
      await provide(program)
      nameProgram(null)
      await program.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

test('a person confirms their address, chooses, is mentioned by email, opens the link and unsubscribes', async ({
  page,
  colleague,
  browser,
  mailServer,
}) => {
  test.slow()
  const { accepted } = mailServer
  const linkIn = (text: string | undefined, pattern: RegExp) => pattern.exec(text ?? '')?.[0] ?? ''
  const mention = async (title: string) => {
    const { report } = await callAs(colleague, createReport, { title, bodyMarkdown: 'Intro.' })
    await colleague.goto(`/reports/${report.id}/read`)
    await colleague.getByText('Intro.').hover()
    await colleague.getByRole('button', { name: 'Comment on this paragraph' }).click()
    const form = colleague.getByRole('textbox', { name: 'Comment', exact: true })
    await form.pressSequentially('Please look, @ada')
    await colleague.getByRole('option', { name: /Ada/ }).click()
    await form.press('ControlOrMeta+Enter')
    await expect(colleague.getByRole('article', { name: /^Comments on/ })).toContainText('Please look')
  }

  await test.step('the address is confirmed by its link, and nothing is sent before', async () => {
    await mention('Too early')
    await page.goto('/settings/general')
    await page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Notifications', exact: true })
      .click()
    await page.getByRole('button', { name: 'Send confirmation link' }).click()
    await expect(page.getByText('Confirmation link sent.')).toBeVisible()
    expect(accepted.map(({ subject }) => subject)).toEqual(['Confirm your email address for Assay'])
    await page.goto(linkIn(accepted[0]?.text, /http:\S+confirm=\S+/))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await expect(page.getByText(/^Emails go to ada@/)).toBeVisible()
    await expect(page.getByText(/Next digest: /)).toBeVisible()
  })

  await test.step('choices are saved automatically', async () => {
    const edited = page.getByRole('combobox', { name: 'Reports edited by email' })
    await edited.selectOption('Daily digest')
    await page.getByRole('combobox', { name: 'Daily digest at' }).selectOption('17:00')
    await expect(page.getByText(/Next digest: .*17:00/)).toBeVisible()
    await page.reload()
    await expect(edited).toHaveValue('digest')
    await expect(page.getByRole('combobox', { name: 'Mentions in comments by email' })).toHaveValue('now')
  })

  await test.step('a mention arrives, and its link opens the comment', async () => {
    await mention('Findings by mail')
    await expect.poll(() => accepted.length).toBe(2)
    expect(accepted[1]?.subject).toBe('Max Member mentioned you in a comment on Findings by mail')
    await page.goto(linkIn(accepted[1]?.text, /http:\S+#comment-\S+/))
    await expect(page.getByText('Please look')).toBeInViewport()
  })

  await test.step('the link to unsubscribe works without a session, and ends mentions only', async () => {
    const unsubscribe = linkIn(accepted[1]?.text, /http:\S+\/unsubscribe\/\S+/)
    const stranger = await browser.newContext()
    const visit = await stranger.newPage()
    await visit.goto(unsubscribe)
    await visit.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(visit.getByText('You no longer get emails about “Mentions in comments”.')).toBeVisible()
    await stranger.close()
    await page.goto('/settings/notifications')
    await expect(page.getByRole('combobox', { name: 'Mentions in comments by email' })).toHaveValue('off')
    await expect(page.getByRole('combobox', { name: 'Comments on reports by email' })).toHaveValue('now')
  })

  await test.step('an admin tests the server and reads the log', async () => {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Email' }).click()
    await page.getByRole('button', { name: 'Send test email' }).click()
    await expect(page.getByText('Test email sent: the mail server accepted it.')).toBeVisible()
    await expect(page.getByRole('row', { name: /mentioned you in a comment on Findings by mail.*Sent/ })).toBeVisible()
    expect(accepted).toHaveLength(3)
  })

  await test.step('a mail program unsubscribes with one click', async () => {
    const { headers } = accepted[1] ?? {}
    const list = headers?.get('list') as { unsubscribe?: { url?: string } } | undefined
    const body = 'List-Unsubscribe=One-Click'
    const answer = await fetch(list?.unsubscribe?.url ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(answer.status).toBe(200)
  })
})
