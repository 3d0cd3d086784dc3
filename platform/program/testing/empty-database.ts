/** Runs one SQL statement and returns its rows. */
export type Run = (statement: string) => Promise<unknown[]>

/**
 * Deletes every row, so that the database can go to another test. Returns false if the database can't be as new, because a
 * test has closed it, broken it or changed its schema. `untouched` is its mark when it was made.
 */
export async function emptyDatabase(run: Run, untouched: string): Promise<boolean> {
  try {
    if ((await markOfSchema(run)) !== untouched) return false
    const used = await usedTables(run)
    // In this role no trigger refuses, and the order of the tables does not matter.
    await run('set session_replication_role = replica')
    for (const table of used) await run(`delete from ${table}`)
    await run('reset session_replication_role')
    if (used.length > 0) await run(`vacuum ${used.join(', ')}`)
    await run(`select setval(oid::regclass, 1, false) from pg_class where relkind = 'S'`)
    return true
  } catch {
    return false
  }
}

const catalogs = [
  'pg_attribute',
  'pg_attrdef',
  'pg_class',
  'pg_constraint',
  'pg_enum',
  'pg_index',
  'pg_namespace',
  'pg_policy',
  'pg_proc',
  'pg_rewrite',
  'pg_trigger',
]

/**
 * Differs after any change of the schema: each changes rows of these catalogs, and a changed row names the transaction that
 * wrote it. Copies of one database have the same mark. Describing the schema in words would take thirty times as long.
 */
export async function markOfSchema(run: Run): Promise<string> {
  const rows = catalogs.map(
    (name) => `select count(*) as rows, sum(hashint8(xmin::text::bigint)) as writers from ${name}`,
  )
  const [row] = await run(
    `select string_agg(rows || ':' || writers, ' ') as mark from (${rows.join(' union all ')}) as counted`,
  )
  return (row as { mark: string }).mark
}

async function usedTables(run: Run) {
  const tables = (await run(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )) as Named[]
  const isUsed = tables.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
  const used = (await run(isUsed.join(' union all '))) as Named[]
  return used.map(({ name }) => name)
}

type Named = { name: string }
