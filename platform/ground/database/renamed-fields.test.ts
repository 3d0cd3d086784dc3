import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'

const folder = fileURLToPath(new URL('./migrations', import.meta.url))
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.sql'))
  .sort()
const id = '019a1f2c-8f60-7000-8000-000000000001'

test('a migration that renames fields keeps their values, and gates without a level stay as they are', async () => {
  const db = new PGlite()
  onTestFinished(() => db.close())
  const migrate = async (chosen: readonly string[]) => {
    for (const file of chosen) await db.exec(readFileSync(join(folder, file), 'utf8'))
  }
  await migrate(files.filter((file) => file < '0048'))
  // Without foreign keys, so that the rows need no organization, experiment or person.
  await db.exec(`set session_replication_role = replica;
    insert into schedules (id, organization_id, experiment_id, name, trigger, submission, gate, is_enabled, owner_id, created_at, updated_at)
      select gen_random_uuid(), '${id}', 'roman', name, '{"kind":"push"}', '{}', gate::jsonb, true, '${id}', now(), now()
      from (values ('a', '{"maxChance":0.01}'), ('b', null)) as given(name, gate);
    insert into schedule_starts (id, schedule_id, cause, started_at, gate) values
      (gen_random_uuid(), '${id}', 'time', now(), '{"verdict":"passed","maxChance":0.05,"isAccepted":false}');
    insert into webhooks (id, organization_id, name, kind, shown_url, sealed, key_id, created_by, created_at, stop, next_try_at)
      values ('${id}', '${id}', 'CI', 'webhook', '', '', '', '${id}', now(), 'gone', now())`)
  await migrate(files.filter((file) => file >= '0048'))
  const valuesOf = async (query: string) => (await db.query<{ value: unknown }>(query)).rows.map(({ value }) => value)
  expect(await valuesOf('select gate as value from schedules order by name')).toEqual([
    { significanceLevel: 0.01 },
    null,
  ])
  expect(await valuesOf('select gate as value from schedule_starts')).toEqual([
    { verdict: 'passed', significanceLevel: 0.05, isAccepted: false },
  ])
  expect(await valuesOf('select stop_reason as value from webhooks')).toEqual(['gone'])
})
