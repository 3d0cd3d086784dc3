import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'

import { checkoutSessions } from '#platform/ground/database/tables/credits.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { readCreditSettings } from './credit-settings.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const run = (name: string, input: object) => runCommand(platform.services, name, { org: 'lab', ...input }, () => {})

describe('an operator', () => {
  test('an operator puts an organization on a plan; a second time changes nothing', async () => {
    expect((await run('plan set', { plan: 'paid' }))[0]).toBe('lab is on the paid plan (upgraded)')
    const [again, ...lines] = await run('plan set', { plan: 'paid' })
    expect(again).toBe('lab is on the paid plan (unchanged)')
    expect(lines).toContainEqual(expect.stringMatching(/increment: \$125\.00, expires \d{4}-\d{2}-\d{2}/))
  })

  test('an operator grants credit once for each reference', async () => {
    const grant = { usd: '12.50', reference: 'invoice-17' }
    const answers = await Promise.all([run('credits grant', grant), run('credits grant', grant)])
    expect(answers.flat().filter((line) => line.startsWith('Granted'))).toEqual(['Granted $12.50 to lab'])
    expect((await platform.request('GET', '/credits/balance')).json.paidBalanceMicros).toBe('12500000')
  })

  test.each(['0', '-5', '1e3', '12.345'])('an operator cannot grant "%s"', async (usd) => {
    await expect(run('credits grant', { usd })).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  test('an operator lists and decides payments that differ from the request, and the balance shows them', async () => {
    expect(await run('credits payments', {})).toEqual(['No payments on hold'])
    const { json: reload } = await platform.request('POST', '/credits/reload', { body: { amountUsd: '25' } })
    await platform.services.db
      .update(checkoutSessions)
      .set({ status: 'mismatched', paidAt: sql`now()`, paidAmount: 2600n, paidCurrency: 'usd' })
      .where(eq(checkoutSessions.providerId, reload.sessionId))
    const shown = async () => {
      const { topUps } = (await platform.request('GET', '/credits/balance')).json
      return topUps.find(({ sessionId }: { sessionId: string }) => sessionId === reload.sessionId)
    }
    const asked = { amountMicros: '25000000', paid: { amount: '2600', currency: 'usd' } }
    expect(await shown()).toMatchObject({ ...asked, status: 'mismatched' })
    const [line] = await run('credits payments', {})
    expect(line).toMatch(new RegExp(`^${reload.sessionId}  lab  requested \\$25\\.00, paid \\$26\\.00 at `))
    const decision = { session: reload.sessionId, decision: 'accepted' }
    expect(await run('credits decide', decision)).toEqual(['Accepted: added $26.00 of credit'])
    expect(await shown()).toMatchObject({ ...asked, status: 'posted', postedMicros: '26000000' })
  })

  test('an operator command for an unknown organization fails with not_found', async () => {
    await expect(run('plan show', { org: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the billing settings', () => {
  test('the default billing settings are ten micros a second, no model keys and no payment provider', () => {
    expect(readCreditSettings({})).toEqual({ runRate: 10, managedKeys: {}, stripe: undefined })
  })

  test('the billing settings name the provider of each managed key', () => {
    const { managedKeys } = readCreditSettings({ MANAGED_ANTHROPIC_API_KEY: 'sk-a', MANAGED_OPENAI_API_KEY: 'sk-o' })
    expect(managedKeys).toEqual({ anthropic: 'sk-a', openai: 'sk-o' })
  })

  test('incomplete billing settings are refused with an error that does not contain their values', () => {
    const half = () => readCreditSettings({ STRIPE_SECRET_KEY: 'sk_live_secret' })
    expect(half).toThrow('Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET together')
    expect(half).not.toThrow('sk_live_secret')
    expect(() => readCreditSettings({ RUN_MICROS_PER_SECOND: '-1' })).toThrow('RUN_MICROS_PER_SECOND')
  })
})
