import { randomUUID } from 'node:crypto'

import { Client } from 'pg'
import { onTestFinished } from 'vitest'

type Row = Record<string, unknown>

/** An empty database on the server of TEST_DATABASE_URL. It is dropped when the test ends. */
export async function makeDatabase(server: string) {
  const name = `assay_bff_${randomUUID().replaceAll('-', '')}`
  await ask(server, `create database ${name}`)
  onTestFinished(async () => void (await ask(server, `drop database ${name} with (force)`)))
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, query: (statement: string) => ask(url.href, statement) }
}

async function ask(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
