import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import { compositeRunId } from '#contract/wire/run-id.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const sql = 'SELECT variant_id, pass_rate FROM runs'
const runUuid = '01a1f9ba-f390-75df-8669-b25323993f48'
const runId = compositeRunId('a', runUuid)

let member: string
const platform = await openTestPlatform()
beforeAll(async () => {
  member = await platform.newKey({ role: 'member' })
  for (const id of ['target', 'other']) await platform.request('POST', '/experiments', { yaml: twoByTwo(id) })
  const { id: organizationId } = platform.organization
  const { id: triggeredBy } = (await platform.request('GET', '/whoami')).json.actor
  await addFinishedRun(platform.services.db, {
    organizationId,
    experimentId: 'target',
    id: runUuid,
    triggeredBy,
    outcomes: {},
  })
})
afterAll(() => platform.close())

const save = (body: unknown, key?: string) => platform.request('POST', '/insights', { body, ...(key && { key }) })
const view = (reference: string) => platform.request('GET', `/insights/${encodeURIComponent(reference)}?sql_only=true`)

describe('POST /insights', () => {
  test('a save without a slug generates one from the heading, with a counter if it is in use', async () => {
    const slugs = []
    for (let made = 0; made < 3; made += 1)
      slugs.push((await save({ heading: ' Pass rate, by modèl! ', sql })).json.insight.slug)
    expect(slugs).toEqual(['pass-rate-by-model', 'pass-rate-by-model-2', 'pass-rate-by-model-3'])
    expect((await save({ heading: '合格率', sql })).json.insight.slug).toBe('insight')
    expect((await save({ heading: 'x'.repeat(200), sql })).json.insight.slug).toHaveLength(80)
  })

  test('a new insight returns the saved fields, with actor and organization from authentication', async () => {
    const { status, json } = await save(
      {
        heading: 'Mine',
        sql,
        description: ' Why ',
        owner: 'nobody',
        orgId: 'elsewhere',
        presentation: { kind: 'bar', x: 'variant_id', y: ['pass_rate'] },
      },
      member,
    )
    expect(status).toBe(200)
    expect(json).toMatchObject({ sql, created: true })
    expect(json.insight).toMatchObject({
      type: 'sql',
      id: expect.stringMatching(/^ins_[0-9a-f]{32}$/),
      slug: 'mine',
      heading: 'Mine',
      description: 'Why',
      labels: [],
      provenance: { kind: 'none' },
      dataSchema: 'session_data_v1',
      includeTestAware: false,
      presentation: { kind: 'bar', x: 'variant_id', y: ['pass_rate'] },
      owner: { email: 'person2@lab.example' },
      canChange: true,
    })
    expect((await view('mine')).json).toMatchObject({ insight: { ...json.insight, canChange: true }, sql })
    expect((await view(json.insight.id)).json.insight.slug).toBe('mine')
  })

  test('labels are trimmed, and each label is stored once', async () => {
    const { json } = await save({ heading: 'Labelled', sql, labels: [' cost ', 'cost', 'Cost', 'speed, too'] })
    expect(json.insight.labels).toEqual(['cost', 'Cost', 'speed, too'])
  })

  test.each([
    ['a missing heading', { sql }],
    ['a blank heading', { heading: '  ', sql }],
    ['a heading of 201 characters', { heading: 'x'.repeat(201), sql }],
    ['missing SQL', { heading: 'x' }],
    ['blank SQL', { heading: 'x', sql: ' ' }],
    ['SQL over 20 kB', { heading: 'x', sql: `SELECT 1 -- ${'é'.repeat(limits.sqlBytes / 2)}` }],
    ['a slug in capitals', { heading: 'x', sql, slug: 'Mine' }],
    ['a slug like an id', { heading: 'x', sql, slug: 'ins_1' }],
    ['a slug like a chart', { heading: 'x', sql, slug: 'chart:target:tests' }],
    ['a blank label', { heading: 'x', sql, labels: [' '] }],
    ['a label of 61 characters', { heading: 'x', sql, labels: ['x'.repeat(61)] }],
    ['21 labels', { heading: 'x', sql, labels: Array.from({ length: 21 }, (_, number) => `l${number}`) }],
    ['a description of 4001 characters', { heading: 'x', sql, description: 'x'.repeat(4001) }],
    ['an unknown presentation', { heading: 'x', sql, presentation: { kind: 'pie' } }],
    ['an unknown schema family', { heading: 'x', sql, dataSchema: 'v2' }],
    ['an empty body', {}],
    ['SQL that is not one SELECT', { heading: 'x', sql: 'DROP TABLE runs' }],
    ['SQL over a table outside the schema', { heading: 'x', sql: 'SELECT * FROM system.tables' }],
    ['SQL that does not parse', { heading: 'x', sql: 'SELECT FROM WHERE' }],
    ['provenance experiment without its id', { heading: 'x', sql, provenance: { kind: 'experiment' } }],
    ['provenance run without its id', { heading: 'x', sql, provenance: { kind: 'run', experimentId: 'target' } }],
    ['provenance none with an experiment', { heading: 'x', sql, provenance: { kind: 'none', experimentId: 'target' } }],
    [
      'provenance experiment with a run',
      { heading: 'x', sql, provenance: { kind: 'experiment', experimentId: 'target', runId } },
    ],
    ['a run of another experiment', { heading: 'x', sql, provenance: { kind: 'run', experimentId: 'other', runId } }],
    [
      "a schema family other than the target's",
      { heading: 'x', sql, dataSchema: 'legacy', provenance: { kind: 'experiment', experimentId: 'target' } },
    ],
  ])('400 invalid_argument for %s, and nothing is saved', async (_, body) => {
    const before = (await platform.request('GET', '/insights?limit=1000')).json
    const { status, json } = await save(body)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await platform.request('GET', '/insights?limit=1000')).json).toEqual(before)
  })

  test('an insight stores its provenance in either spelling, and takes the experiment of a run', async () => {
    const ofExperiment = await save({
      heading: 'Of it',
      sql,
      provenance: { kind: 'experiment', experiment_id: 'target' },
    })
    expect(ofExperiment.json.insight.provenance).toEqual({ kind: 'experiment', experimentId: 'target' })
    const ofRun = await save({
      heading: 'Of one',
      sql,
      provenance: { kind: 'run', run_id: runId },
      data_schema: 'session_data_v1',
    })
    expect(ofRun.json.insight.provenance).toEqual({ kind: 'run', experimentId: 'target', runId, runUuid })
  })

  test("404 not_found for a provenance target that does not exist or is another organization's", async () => {
    await createOrganization(platform.services, { slug: 'elsewhere' })
    const stranger = await platform.newKey({ organizations: ['elsewhere'] })
    const targets = [
      [{ kind: 'experiment', experimentId: 'nobody' }],
      [{ kind: 'run', runId: 'a::nobody' }],
      [{ kind: 'experiment', experimentId: 'target' }, stranger],
      [{ kind: 'run', runId }, stranger],
    ] as const
    for (const [provenance, key] of targets) {
      const { status, json } = await save({ heading: 'x', sql, provenance }, key)
      expect([status, json.error]).toEqual([404, 'not_found'])
    }
  })
})

describe('a slug in use', () => {
  test('409 already_exists for a slug in use without force: nothing changes, and another organization may use the slug', async () => {
    await save({ heading: 'First', sql, slug: 'taken' })
    const { status, json } = await save({ heading: 'Second', sql, slug: 'taken' })
    expect([status, json.error]).toEqual([409, 'already_exists'])
    expect((await view('taken')).json.insight.heading).toBe('First')
    await createOrganization(platform.services, { slug: 'apart' })
    const stranger = await platform.newKey({ organizations: ['apart'] })
    expect((await save({ heading: 'Theirs', sql, slug: 'taken' }, stranger)).status).toBe(200)
  })

  test('a force save replaces the whole content, and keeps the id, slug, owner and provenance', async () => {
    const provenance = { kind: 'experiment', experimentId: 'target' }
    const presentation = { kind: 'table', y: [] }
    const first = await save(
      { heading: 'One', sql, slug: 'forced', description: 'd', labels: ['l'], provenance, presentation },
      member,
    )
    const second = await save({ heading: 'Two', sql: 'SELECT 2 AS two', slug: 'forced', force: true })
    expect(second.json).toMatchObject({ created: false, sql: 'SELECT 2 AS two' })
    const { updatedAt, updatedBy, heading, description: _, presentation: __, labels: ___, ...kept } = first.json.insight
    expect(second.json.insight).toMatchObject({
      ...kept,
      heading: 'Two',
      labels: [],
      updatedBy: { email: 'person1@lab.example' },
    })
    expect([heading, updatedBy.email]).toEqual(['One', 'person2@lab.example'])
    expect(second.json.insight).not.toHaveProperty('description')
    expect(second.json.insight).not.toHaveProperty('presentation')
    expect(second.json.insight.updatedAt > updatedAt).toBe(true)
  })

  test('a force save with provenance takes the schema family of the new target', async () => {
    await save({ heading: 'Old', sql, slug: 'restamped', dataSchema: 'legacy' })
    const kept = await save({ heading: 'Old', sql: 'SELECT x FROM results', slug: 'restamped', force: true })
    expect(kept.json.insight).toMatchObject({ dataSchema: 'legacy', provenance: { kind: 'none' } })
    const body = {
      heading: 'New',
      sql,
      slug: 'restamped',
      force: true,
      provenance: { kind: 'experiment', experimentId: 'other' },
    }
    expect((await save(body)).json.insight).toMatchObject({
      dataSchema: 'session_data_v1',
      provenance: body.provenance,
    })
    const mismatch = await save({ heading: 'New', sql, slug: 'restamped', force: true, dataSchema: 'legacy' })
    expect([mismatch.status, mismatch.json.error]).toEqual([400, 'invalid_argument'])
  })

  test('a force save without a slug overwrites the insight with the generated slug, or creates it', async () => {
    const made = await save({ heading: 'Weekly numbers', sql, force: true })
    const again = await save({ heading: 'Weekly: numbers', sql, force: true })
    expect([made.json.created, again.json.created]).toEqual([true, false])
    expect(again.json.insight).toMatchObject({ id: made.json.insight.id, heading: 'Weekly: numbers' })
  })

  test("403 for a member who force-saves over another person's insight, and nothing changes", async () => {
    await save({ heading: 'Admin’s', sql, slug: 'guarded' })
    const { status, json } = await save({ heading: 'x', sql, slug: 'guarded', force: true }, member)
    expect([status, json.error]).toEqual([403, 'permission_denied'])
    expect((await view('guarded')).json.insight.heading).toBe('Admin’s')
  })

  test('of ten concurrent saves of one slug, one succeeds and nine are refused; with generated slugs all ten are saved', async () => {
    const ten = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, work))
    const given = await ten(() => save({ heading: 'Race', sql, slug: 'raced' }))
    expect(given.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    const minted = await ten(() => save({ heading: 'Race minted', sql }))
    expect(new Set(minted.map(({ json }) => json.insight.slug)).size).toBe(10)
    const forced = await ten(() => save({ heading: 'Race forced', sql, slug: 'raced-by-force', force: true }))
    expect(forced.filter(({ json }) => json.created)).toHaveLength(1)
    expect(new Set(forced.map(({ json }) => json.insight.id)).size).toBe(1)
  })
})
