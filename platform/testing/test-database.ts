import { randomUUID } from 'node:crypto'

import { Client } from 'pg'

import { openDatabase, type OpenDatabase } from '#platform/database/open-database.ts'

/** A migrated, empty state database: PGlite in memory, or a database of its own on the server of TEST_DATABASE_URL. */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  return server ? openOnServer(server) : openDatabase({ memory: true })
}

async function openOnServer(server: string): Promise<OpenDatabase> {
  const name = `assay_test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const { db, close } = await openDatabase({ url: url.href })
  return {
    db,
    async close() {
      await close()
      await administer(server, `drop database ${name}`)
    },
  }
}

async function administer(server: string, statement: string) {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
