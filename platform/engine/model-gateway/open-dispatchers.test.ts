import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { json, startScriptedProvider } from '#platform/program/testing/scripted-provider.ts'
import { openDispatchers } from './open-dispatchers.ts'

let provider: Awaited<ReturnType<typeof startScriptedProvider>>
beforeAll(async () => {
  provider = await startScriptedProvider()
  provider.answers((_, response) => json(response, { ok: true }))
})
afterAll(() => provider.close())

const addressOf = (host: string) => provider.url.replace('127.0.0.1', host)

test('only the checked address of a definition’s host is dialed, and a refusal names the reason', async () => {
  const asked: [string, number][] = []
  const dispatchers = openDispatchers({
    proxy: null,
    checkAddress: async (host, port) => {
      asked.push([host, port])
      if (host === 'private.test') throw new Error('It is a private address.')
      return ['127.0.0.1']
    },
  })
  const url = addressOf('models.test')
  const dispatcher = await dispatchers.dispatcherFor({ url, owner: 'definition' })
  expect((await request(url, { dispatcher })).statusCode).toBe(200)
  expect(asked).toEqual([['models.test', Number(new URL(url).port)]])
  await expect(dispatchers.dispatcherFor({ url: addressOf('private.test'), owner: 'definition' })).rejects.toThrow(
    'Runs may not reach the model server private.test: It is a private address.',
  )
  await dispatchers.close()
})

test('calls to providers go through the operator’s proxy, and calls to the operator’s own addresses do not', async () => {
  const tunnels: string[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url = '' }, client) => {
    tunnels.push(url)
    const server = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      client.pipe(server).pipe(client)
    })
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const uri = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  const dispatchers = openDispatchers({ proxy: uri, checkAddress: async () => ['127.0.0.1'] })
  const url = addressOf('models.test')
  for (const owner of ['provider', 'definition'] as const)
    expect((await request(url, { dispatcher: await dispatchers.dispatcherFor({ url, owner }) })).statusCode).toBe(200)
  expect([...new Set(tunnels)]).toEqual([new URL(url).host])
  const direct = await dispatchers.dispatcherFor({ url: provider.url, owner: 'operator' })
  expect((await request(provider.url, { dispatcher: direct })).statusCode).toBe(200)
  expect(tunnels).not.toContain(new URL(provider.url).host)
  await dispatchers.close()
  proxy.close()
})
